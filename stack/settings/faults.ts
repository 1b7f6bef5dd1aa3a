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
import { isSlug, labelFault } from "#domain/names/slug.ts";
import { type Connections, connectionFaults } from "./connections.ts";

export class SettingsError extends RunError {
  override name = "SettingsError";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the stack's settings have ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

export function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = `tenantry:${z.core.toDotPath(issue.path)}`;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map(
      (key) => `${path.replace(/:$/, "")}: unknown setting ${JSON.stringify(key)}; remove it or correct its name`,
    );
  }
  const missing = issue.code === "invalid_type" && issue.message.includes("received undefined");
  return [`${path}: ${missing ? `is missing; set it to a ${issue.expected}` : issue.message}`];
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

export function crossFaults(raw: unknown, connections: Connections): string[] {
  const { environment, platform, platformStack, managedBy, rotations, partners, clients } = loose.parse(raw ?? {});
  const isDashboards = managedBy === "dashboard";
  const rules: readonly (readonly [boolean, string])[] = [
    [
      isDashboards && (platform !== undefined || partners.length > 0),
      "tenantry:managedBy: a stack of the dashboard has clients only; declare platform and partners in another stack",
    ],
    [
      isDashboards && Array.isArray(platformStack) && platformStack.length > 1,
      "tenantry:platformStack: a dashboard's tenants are of its own platform; name that one stack",
    ],
    [
      rotations !== undefined && platform === undefined,
      "tenantry:rotations: a stack of tenants has no secrets to rotate; move it to the platform's stack",
    ],
    [
      platform === undefined && platformStack === undefined,
      "tenantry:platform: is missing; declare the platform here, or name the stack that holds it in tenantry:platformStack (is this the directory of the stack's file?)",
    ],
    [
      platform !== undefined && platformStack !== undefined,
      "tenantry:platformStack: a stack that declares a platform uses that one; remove one of the two",
    ],
  ];
  const faults = [
    ...rules.filter(([applies]) => applies).map(([, fault]) => fault),
    ...duplicateFaults("tenantry:platform.aiGateways", "id", platform?.aiGateways ?? []),
    ...duplicateFaults("tenantry:partners", "slug", partners),
    ...duplicateFaults("tenantry:clients", "slug", clients),
  ];
  const known = new Set(partners.map((entry) => entry.slug));
  clients.forEach(({ slug, partner: name }, index) => {
    const fault = slug !== undefined && isSlug(slug) ? labelFault(slug, environment) : undefined;
    if (fault !== undefined) faults.push(`tenantry:clients[${index}].slug: slug ${JSON.stringify(slug)} ${fault}`);
    // The partner of a stack of tenants may be in the platform's stack; the plan checks it against the database.
    if (name !== undefined && !known.has(name) && platformStack === undefined) {
      faults.push(
        `tenantry:clients[${index}].partner: unknown partner ${JSON.stringify(name)}; declare it under tenantry:partners`,
      );
    }
  });
  if (platform?.domain !== undefined) {
    const { domain, healthApplication = "shared" } = platform;
    const fault = addressFault(platformAddresses(environment, domain, healthApplication));
    if (fault !== undefined) faults.push(`tenantry:platform.domain: ${fault}; use a shorter domain`);
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
): string[] {
  return clients.flatMap(({ slug = "" }, index) => {
    const fault = isSlug(slug) && addressFault(tenantAddresses(slug, environment, domain, healthApplication));
    const remedy = healthApplication === "tenant" ? ", or platform.healthApplication: shared" : "";
    return fault ? [`tenantry:clients[${index}].slug: ${fault}; choose a shorter slug${remedy}`] : [];
  });
}

function duplicateFaults<Field extends string>(
  path: string,
  field: Field,
  entries: readonly { [key in Field]?: string | undefined }[],
): string[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ [field]: value }, index) => {
    if (value === undefined) return [];
    const earlier = first.get(value);
    if (earlier === undefined) {
      first.set(value, index);
      return [];
    }
    return [
      `${path}[${index}].${field}: ${JSON.stringify(value)} is declared already by ${path}[${earlier}]; rename or remove one`,
    ];
  });
}
