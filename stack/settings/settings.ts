/** The settings of a stack: Pulumi configuration under `tenantry:`, parsed once, with all faults reported together. */
import type * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import { managers } from "#domain/entities/entity.ts";
import { environments } from "#domain/environment.ts";
import { errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { stackSettingErrors } from "#domain/errors/stack/stack-settings.ts";
import { choiceSchema } from "#domain/settings/choice.ts";
import { type PlatformSettings, platformSettings } from "#domain/settings/platform.ts";
import { type Connections, isComplete, type PlatformConnections, readConnections } from "./connections.ts";
import { doorFaults, doorSecrets } from "./doors.ts";
import { crossFaults, describeIssue, SettingsError } from "./faults.ts";
import { NO_FLAGS, type RunFlags, readRunFlags } from "./run-flags.ts";
import { providerKeys, rotations } from "./secrets.ts";
import { client, partner } from "./tenants.ts";

const MOST_PLATFORMS = 50;
const STACK_NAME = /^[\w.-]+(?:\/[\w.-]+){0,2}$/;
const STACK_NAME_FORM = "stack, project/stack or organization/project/stack";

const stackName = z.string().regex(STACK_NAME, `use ${STACK_NAME_FORM}`);

const platformStack = z
  .union(
    [
      stackName,
      z
        .array(stackName)
        .min(1, "is an empty list; name a stack")
        .max(MOST_PLATFORMS, `names more than ${MOST_PLATFORMS} stacks; name those alone that have room`)
        .refine((names) => new Set(names).size === names.length, "names a stack twice; remove one of the two"),
    ],
    { error: `use ${STACK_NAME_FORM}, or a list of 1 to ${MOST_PLATFORMS} such names` },
  )
  .describe(
    `Stack that holds the platform of this stack's tenants; or up to ${MOST_PLATFORMS} such stacks in the order of preference: all of its tenants are placed at the first that has room, and stay there.`,
  );

/** All settings of a stack. `schema.ts` generates the editors' schema from it. */
export const stackSettings = z.strictObject({
  environment: choiceSchema(environments, "environment").default("production"),
  platform: platformSettings.optional(),
  platformStack: platformStack.optional(),
  managedBy: choiceSchema(managers, "owner")
    .default("git")
    .describe(
      "Owner of this stack's clients: this file, or the dashboard, whose rows stay unchanged. The automation service sets it. Default: git.",
    ),
  backupBeforeRedeploy: z
    .boolean()
    .default(true)
    .describe(
      "Whether a tenant is backed up before its container is replaced or removed; a replacement then fails without a backup. Default: true.",
    ),
  providerKeys: providerKeys.optional(),
  doorSecrets: doorSecrets.optional(),
  rotations: rotations.optional(),
  partners: z.array(partner).default([]).describe("Partners, each owning clients. Default: none."),
  clients: z.array(client).default([]).describe("Clients, one tenant each. Default: none."),
});

export type StackSettings = z.infer<typeof stackSettings>;
export type PartnerSettings = z.infer<typeof partner>;
export type ClientSettings = z.infer<typeof client>;
export type AiGatewaySettings = PlatformSettings["aiGateways"][number];

type CommonSettings = Omit<StackSettings, "platform" | "platformStack"> & RunFlags;

export type PlatformStackSettings = CommonSettings & { platform: PlatformSettings; connections: PlatformConnections };

export type TenantStackSettings = CommonSettings & {
  platform: undefined;
  /** Stacks of possible platforms in the order of preference; at least one. */
  platformStacks: readonly string[];
  connections: Connections;
};

export type Settings = PlatformStackSettings | TenantStackSettings;

/** Settings that are strings; all others are JSON. */
const TEXTS: ReadonlySet<string> = new Set(["environment", "platformStack", "managedBy"]);

/** Stack names cannot start with a bracket, but lists do. */
const isText = (key: string, text: string) => TEXTS.has(key) && !(key === "platformStack" && text.startsWith("["));

/** Parses a stack's configuration of the namespace `tenantry`. @throws SettingsError with all faults */
export function readSettings(config: Pick<pulumi.Config, "get">, variables: NodeJS.ProcessEnv = process.env): Settings {
  const raw: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const key of Object.keys(stackSettings.shape)) {
    const text = config.get(key);
    // An empty text is a default in Pulumi.yaml and means unset.
    if (text === undefined || text === "") continue;
    try {
      raw[key] = isText(key, text) ? text : JSON.parse(text);
    } catch {
      faults.push(errorLine(stackSettingErrors.setting_not_json, { key }));
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  const settings = checkSettings(raw, readConnections(config, variables), readRunFlags(variables));
  const wrong = doorFaults(settings);
  if (wrong.length > 0) throw new SettingsError(wrong);
  return settings;
}

/** Returns `raw` with defaults. It does not check the secrets of doors, which may be encrypted. @throws SettingsError with all faults */
export function checkSettings(raw: unknown, connections: Connections, flags: RunFlags = NO_FLAGS): Settings {
  const parsed = stackSettings.safeParse(raw);
  const faults = parsed.success ? [] : parsed.error.issues.flatMap(describeIssue);
  // Cross faults are added even if the schema finds faults, so that one run reports all.
  faults.push(...crossFaults(raw, connections));
  if (parsed.success && faults.length === 0) {
    const { platform, platformStack, ...others } = parsed.data;
    const rest = { ...others, ...flags };
    if (platform !== undefined && isComplete(connections)) return { ...rest, platform, connections };
    if (platform === undefined && platformStack !== undefined)
      return { ...rest, platform, platformStacks: [platformStack].flat(), connections };
  }
  throw new SettingsError(faults);
}
