/** Faults of a stack's settings, one line each with path and remedy. */
// Not the whole SDK, because settings are also checked outside of a Pulumi program.
import { RunError } from "@pulumi/pulumi/errors.js";
import * as z from "zod";
import {
  addressFault,
  type HealthApplication,
  healthApplications,
  platformAddresses,
  tenantAddresses,
} from "#domain/access/access-addresses.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { errorHeading, errorLine, errorMessage, type Fault } from "#domain/errors/catalogue-error.ts";
import { stackSettingErrors as errors } from "#domain/errors/stack/stack-settings.ts";
import { isSlug, labelFault } from "#domain/names/slug.ts";
import { type Connections, connectionFaults } from "./connections.ts";

export class SettingsError extends RunError {
  override name = "SettingsError";
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
    super([errorHeading(errors.settings_invalid, { count }), ...faults.map((fault) => `  ${fault}`)].join("\n"));
    this.faults = faults;
  }
}

export function describeIssue(issue: z.core.$ZodIssue): Fault[] {
  const path = `tenantry:${z.core.toDotPath(issue.path)}`;
  if (issue.code === "unrecognized_keys") {
    const parent = path.replace(/:$/, "");
    return issue.keys.map((key) => errorLine(errors.setting_unknown, { path: parent, key: JSON.stringify(key) }));
  }
  const missing = issue.code === "invalid_type" && issue.message.includes("received undefined");
  return missing
    ? [errorLine(errors.setting_missing, { path, type: issue.expected })]
    : [errorMessage(errors.setting_breaks_rule, { path, rule: issue.message })];
}

const loose = z.object({
  environment: z.enum(environments).catch("production"),
  platform: z
    .object({
      aiGateways: z.array(z.object({ id: z.string() }).partial()).catch([]),
      domain: z.string().optional().catch(undefined),
      healthApplication: z.enum(healthApplications).catch("shared"),
    })
    .partial()
    .optional()
    .catch(undefined),
  platformStack: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .catch(undefined),
  managedBy: z.string().optional().catch(undefined),
  rotations: z.unknown().optional(),
  partners: z.array(z.object({ slug: z.string() }).partial().catch({})).catch([]),
  clients: z.array(z.object({ slug: z.string(), partner: z.string() }).partial().catch({})).catch([]),
});

export function crossFaults(raw: unknown, connections: Connections): Fault[] {
  const { environment, platform, platformStack, managedBy, rotations, partners, clients } = loose.parse(raw ?? {});
  const isDashboards = managedBy === "dashboard";
  const rules = [
    [isDashboards && (platform !== undefined || partners.length > 0), errors.platform_in_dashboard_stack],
    [
      isDashboards && Array.isArray(platformStack) && platformStack.length > 1,
      errors.dashboard_stack_of_several_platforms,
    ],
    [rotations !== undefined && platform === undefined, errors.rotations_without_platform],
    [platform === undefined && platformStack === undefined, errors.platform_missing],
    [platform !== undefined && platformStack !== undefined, errors.platform_declared_and_named],
  ] as const;
  const faults = [
    ...rules.filter(([applies]) => applies).map(([, entry]) => errorLine(entry)),
    ...duplicateFaults("tenantry:platform.aiGateways", "id", platform?.aiGateways ?? []),
    ...duplicateFaults("tenantry:partners", "slug", partners),
    ...duplicateFaults("tenantry:clients", "slug", clients),
  ];
  const known = new Set(partners.map((entry) => entry.slug));
  clients.forEach(({ slug, partner: name }, index) => {
    const fault = slug !== undefined && isSlug(slug) ? labelFault(slug, environment) : undefined;
    if (fault !== undefined) {
      const rule = `slug ${JSON.stringify(slug)} ${fault}`;
      faults.push(errorMessage(errors.setting_breaks_rule, { path: `tenantry:clients[${index}].slug`, rule }));
    }
    // The partner of a stack of tenants may be in the platform's stack; the plan checks it against the database.
    if (name !== undefined && !known.has(name) && platformStack === undefined) {
      const path = `tenantry:clients[${index}].partner`;
      faults.push(errorLine(errors.client_partner_not_declared, { path, partner: JSON.stringify(name) }));
    }
  });
  if (platform?.domain !== undefined) {
    const { domain, healthApplication = "shared" } = platform;
    const fault = addressFault(platformAddresses(environment, domain, healthApplication));
    if (fault !== undefined) faults.push(errorLine(errors.platform_address_too_long, { fault }));
    else faults.push(...tenantAddressFaults(clients, { environment, domain, healthApplication }));
  }
  if (platform !== undefined) faults.push(...connectionFaults(connections));
  return faults;
}

interface Addressed {
  environment: Environment;
  domain: string;
  healthApplication: HealthApplication;
}

export function refuseLongAddresses(clients: readonly { slug: string }[], platform: Addressed): void {
  const faults = tenantAddressFaults(clients, platform);
  if (faults.length > 0) throw new SettingsError(faults);
}

function tenantAddressFaults(
  clients: readonly { slug?: string | undefined }[],
  { environment, domain, healthApplication }: Addressed,
): Fault[] {
  return clients.flatMap(({ slug = "" }, index) => {
    const fault = isSlug(slug) && addressFault(tenantAddresses(slug, environment, domain, healthApplication));
    if (!fault) return [];
    const entry =
      healthApplication === "tenant" ? errors.tenant_health_address_too_long : errors.tenant_address_too_long;
    return [errorLine(entry, { path: `tenantry:clients[${index}].slug`, fault })];
  });
}

function duplicateFaults<Field extends string>(
  path: string,
  field: Field,
  entries: readonly { [key in Field]?: string | undefined }[],
): Fault[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ [field]: value }, index) => {
    if (value === undefined) return [];
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, index);
      return [];
    }
    const values = { path: `${path}[${index}].${field}`, value: JSON.stringify(value), earlier: `${path}[${earlier}]` };
    return [errorLine(errors.setting_declared_twice, values)];
  });
}
