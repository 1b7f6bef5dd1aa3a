/**
 * The settings of a stack: Pulumi configuration under `tenantry:`, parsed once, all faults reported together.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as z from "zod";
import { healthApplications } from "#domain/access/access-addresses.ts";
import { type AccountUse, DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "#domain/account-limits.ts";
import { environments } from "#domain/environment.ts";
import { clientStates } from "#domain/instance-state.ts";
import { GATEWAY_MEMORY_MIB, instanceTypes, MOST_MEMORY_MIB } from "#domain/instance-type.ts";
import { PLAN_AI_SPEND, PLAN_CONTAINERS, type Plan, plans } from "#domain/plan.ts";
import { type RotatingSecret, rotationSteps } from "#domain/rotation.ts";
import { slugFault } from "#domain/slug.ts";
import { type Connections, isComplete, type PlatformConnections, readConnections } from "./connections.ts";
import { crossFaults, describeIssue, SettingsError } from "./faults.ts";
import { NO_FLAGS, type RunFlags, readRunFlags } from "./run-flags.ts";

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Cloudflare's predefined profile "Financial Information", the same in every account. */
const FINANCIAL_INFORMATION = "e91a2360-da51-4fdf-9711-bcdecd462614";

const choice = <const T extends readonly [string, ...string[]]>(values: T, what: string) =>
  z.enum(values, {
    error: ({ input }) =>
      input === undefined
        ? `is missing; use one of ${values.join(", ")}`
        : `unknown ${what} ${JSON.stringify(input)}; use one of ${values.join(", ")}`,
  });

const slug = z
  .string()
  .check((context) => {
    const fault = slugFault(context.value);
    if (fault !== undefined)
      context.issues.push({
        code: "custom",
        input: context.value,
        message: `slug ${JSON.stringify(context.value)} ${fault}`,
      });
  })
  .describe("DNS label of at most 59 characters, in staging 55; names the tenant's host, script and bucket.");

const aiGateway = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "use at most 64 lower-case letters, digits and inner hyphens")
      .describe("Id of the gateway at Cloudflare."),
    capacity: z.int().nonnegative().describe("Most instances that may bind it."),
    environment: choice(environments, "environment")
      .optional()
      .describe("The one environment that may bind it. Default: any in production, elsewhere the stack's own."),
    enabled: z.boolean().default(true).describe("Whether new instances may bind it. Default: true."),
  })
  .describe("A pooled AI gateway.");

/** An Access group holds 1,000 rules (vendor: "Account limits"): each root user, and the group of those whom the stack names. */
const MAX_ROOT_USERS = 999;

const atMost = (what: string, fallback: number) =>
  z.int().nonnegative().default(fallback).describe(`${what} that the platform may have there. Default: ${fallback}.`);

const limits = z
  .strictObject({
    accessApplications: atMost("Access applications", DEFAULT_ACCOUNT_LIMITS.accessApplications),
    accessGroups: atMost("Access groups", DEFAULT_ACCOUNT_LIMITS.accessGroups),
    accessPolicies: atMost("Reusable Access policies", DEFAULT_ACCOUNT_LIMITS.accessPolicies),
    apiTokens: atMost("API tokens", DEFAULT_ACCOUNT_LIMITS.apiTokens),
    aiGateways: atMost("AI gateways", DEFAULT_ACCOUNT_LIMITS.aiGateways),
  } satisfies Record<keyof AccountUse, z.ZodType>)
  .prefault({})
  .describe("What the account may hold by its plan, less what others than the platform take. Default: the vendor's.");

const sizeOf = (plan: Plan) =>
  choice(instanceTypes, "instance type")
    .default(PLAN_CONTAINERS[plan])
    .describe(`Of the plan ${plan}. Default: ${PLAN_CONTAINERS[plan]}.`);

const containers = z
  .strictObject({
    free: sizeOf("free"),
    basic: sizeOf("basic"),
    pro: sizeOf("pro"),
    enterprise: sizeOf("enterprise"),
  } satisfies Record<Plan, z.ZodType>)
  .prefault({})
  .describe("Cloudflare's instance type of each plan's containers. A change restarts the plan's tenants.");

const spendOf = (plan: Plan) =>
  z
    .number()
    .positive()
    .nullable()
    .default(PLAN_AI_SPEND[plan])
    .describe(`Of the plan ${plan}; null: no limit. Default: ${PLAN_AI_SPEND[plan] ?? "no limit"}.`);

const aiSpendLimits = z
  .strictObject({
    free: spendOf("free"),
    basic: spendOf("basic"),
    pro: spendOf("pro"),
    enterprise: spendOf("enterprise"),
  } satisfies Record<Plan, z.ZodType>)
  .prefault({})
  .describe(
    "US dollars that a tenant of each plan may spend at its AI gateway in any 30 days; beyond, the gateway answers its models' requests with 429.",
  );

const platform = z
  .strictObject({
    domain: z
      .string()
      .regex(DNS_NAME, "use a DNS name in lower case, such as agents.example.com")
      .describe("Domain of the zone; tenants are hosts of it. Environments may share it."),
    accountId: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "use the account's 32 hexadecimal digits")
      .describe("Cloudflare account."),
    zoneId: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "use the zone's 32 hexadecimal digits")
      .describe("Cloudflare zone of the domain."),
    containerImage: z.string().min(1).describe("Image of the gateway's container, with its tag or digest."),
    containers,
    gatewayMemoryMiB: z
      .int()
      .positive()
      .max(MOST_MEMORY_MIB, `the largest instance type has ${MOST_MEMORY_MIB} MiB; use at most that`)
      .default(GATEWAY_MEMORY_MIB)
      .describe(
        `Memory that the image's gateway needs, in MiB; a run warns of plans whose containers have less. Default: ${GATEWAY_MEMORY_MIB}, for OpenClaw.`,
      ),
    rootUsers: z
      .array(z.email())
      .min(1)
      .max(MAX_ROOT_USERS, "an Access group holds 1,000 rules; name at most 999, and make others users of tenants")
      .describe(
        "E-mail addresses of the platform's administrators whom nothing at the dashboard locks out, at most 999; others are made there.",
      ),
    aiGateways: z.array(aiGateway).default([]).describe("The pool of shared AI gateways. Default: none."),
    notice: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe("A sentence that every page of the dashboard shows, such as of planned work. Default: none."),
    createDedicatedAiGateways: z
      .boolean()
      .default(true)
      .describe("Whether a tenant that the pool has no room for gets a gateway of its own. Default: true."),
    defaultModel: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*\/\S+$/, "use provider/model, such as openai/gpt-5-mini")
      .default("openai/gpt-5-mini")
      .describe("Model that new agents use, as provider/model. Default: openai/gpt-5-mini."),
    backupRetentionDays: z
      .int()
      .positive()
      .default(365)
      .describe("Days after which the bucket itself drops a backup; the Worker keeps them for 30. Default: 365."),
    pii: z
      .strictObject({
        action: z
          .enum(["FLAG", "BLOCK"])
          .default("FLAG")
          .describe("What happens to provider traffic that matches. Default: FLAG."),
        profiles: z
          .array(z.uuid())
          .min(1)
          .default([FINANCIAL_INFORMATION])
          .describe("Data loss prevention profiles that are matched."),
      })
      .prefault({})
      .describe("PII filtering of every AI gateway."),
    aiSpendLimits,
    protect: z
      .boolean()
      .optional()
      .describe(
        "Whether the engine refuses to delete what every tenant hangs on: namespace, database and route. Default: in production.",
      ),
    healthApplication: choice(healthApplications, "kind of health application")
      .default(DEFAULT_TENANT_SHAPE.healthApplication)
      .describe(
        "Whether one Access application opens the health of all tenants, or each has one (tenant), which takes twice as many; in staging it is always one. Default: shared.",
      ),
    bucketCredentials: z
      .boolean()
      .default(DEFAULT_TENANT_SHAPE.bucketCredentials)
      .describe(
        "Whether each tenant has credentials for its own bucket, for images that read it themselves, by an API token more. Default: false.",
      ),
    limits,
    restAuthenticator: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, "use the name of a PostgreSQL role")
      .optional()
      .describe(
        "Role the REST layer logs in as, which is then granted the dispatch role (Supabase: authenticator). Default: none.",
      ),
  })
  .describe("Deploys a platform in this stack.");

const partner = z.strictObject({
  slug,
  name: z.string().min(1).describe("Name shown to people."),
  style: z.record(z.string(), z.unknown()).default({}).describe("Custom branding. Default: none."),
});

const instance = z.strictObject({
  aiGateway: z
    .string()
    .min(1)
    .optional()
    .describe("AI gateway to bind. Default: chosen from the pool, else a dedicated one."),
  image: z
    .string()
    .min(1)
    .optional()
    .describe("Image of the gateway's container that this tenant is pinned to. Default: the platform's."),
  tokenVersion: z
    .int()
    .positive()
    .default(1)
    .describe(
      "Raised by one, the gateway's token is made anew with the next run; restart the tenant then. Default: 1.",
    ),
});

const client = z.strictObject({
  slug,
  name: z.string().min(1).describe("Name shown to people."),
  partner: z.string().optional().describe("Slug of the partner it belongs to. Default: none, an internal client."),
  plan: choice(plans, "plan").describe("Billing plan."),
  status: choice(clientStates, "client status")
    .default("active")
    .describe("Whether it takes traffic. Default: active."),
  instances: z
    .array(instance)
    .length(1, {
      error: ({ input }) =>
        `a client has exactly one instance, not ${(input as unknown[]).length}; declare another client`,
    })
    .default([{ tokenVersion: 1 }])
    .describe("Its one instance. Default: one with defaults."),
});

const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]*$/;

// A key of its own, for the engine hides whole keys. What encrypts one value alone writes an object in its place.
const providerKeys = z
  .record(z.string(), z.unknown())
  .pipe(
    z
      .record(z.string(), z.string().min(1))
      // Without the name, which might be a key that was put in its place.
      .refine((keys) => Object.keys(keys).every((name) => PROVIDER_NAME.test(name)), {
        error: "name each provider by lower-case letters, digits and hyphens, such as openai",
      }),
  )
  .describe(
    "Keys of the AI gateways' providers by the providers' names. A secret: set it with --secret. Default: those that the AI gateways keep, or in a stack of tenants the platform's.",
  );

const rotation = z
  .strictObject({
    version: z.int().positive().describe("Number of the secret's version."),
    step: choice(rotationSteps, "step").default("done").describe("How far its rotation is. Default: done."),
  })
  .refine(({ version, step }) => version > 1 || step === "done", "the first version has no step but done")
  .optional();

const rotations = z
  .strictObject({
    databaseLogins: rotation,
    invalidateToken: rotation,
    liveToken: rotation,
    apiTokens: rotation,
    tenantTokens: rotation,
    gatewayTokens: rotation,
    ticketKeys: rotation,
  } satisfies Record<RotatingSecret, z.ZodType>)
  .describe(
    "How far the rotation of each secret of the platform is; npm run fleet -- rotate writes it. Default: none was ever rotated.",
  );

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

/** Everything a stack can be told. `z.toJSONSchema` of it is the schema that editors use. */
export const stackSettings = z.strictObject({
  environment: choice(environments, "environment").default("production"),
  platform: platform.optional(),
  platformStack: platformStack.optional(),
  managedBy: choice(["git", "dashboard"], "owner")
    .default("git")
    .describe(
      "Who says what this stack's clients are: this file, or the dashboard, whose rows of them are then left as they are. The automation service sets it. Default: git.",
    ),
  backupBeforeRedeploy: z
    .boolean()
    .default(true)
    .describe(
      "Whether a tenant is backed up before its container is replaced or removed; a replacement then fails without a backup. Default: true.",
    ),
  providerKeys: providerKeys.optional(),
  rotations: rotations.optional(),
  partners: z.array(partner).default([]).describe("Partners, each owning clients. Default: none."),
  clients: z.array(client).default([]).describe("Clients, one tenant each. Default: none."),
});

export type StackSettings = z.infer<typeof stackSettings>;
export type PlatformSettings = z.infer<typeof platform>;
export type PartnerSettings = z.infer<typeof partner>;
export type ClientSettings = Omit<z.infer<typeof client>, "plan"> & { plan: Plan };
export type AiGatewaySettings = z.infer<typeof aiGateway>;

type CommonSettings = Omit<StackSettings, "platform" | "platformStack"> & RunFlags;

/** A stack that declares a platform, and perhaps tenants of it. */
export type PlatformStackSettings = CommonSettings & { platform: PlatformSettings; connections: PlatformConnections };

/** A stack of tenants of another stack's platform. */
export type TenantStackSettings = CommonSettings & {
  platform: undefined;
  /** Stacks of the platforms that they may be placed at, in the order of preference; at least one. */
  platformStacks: readonly string[];
  connections: Connections;
};

export type Settings = PlatformStackSettings | TenantStackSettings;

/** Settings that are texts; all others are objects, lists and so on. */
const TEXTS: ReadonlySet<string> = new Set(["environment", "platformStack", "managedBy"]);

/** No name of a stack begins like a list. */
const isText = (key: string, text: string) => TEXTS.has(key) && !(key === "platformStack" && text.startsWith("["));

/**
 * Parses a stack's configuration.
 *
 * @param config of the namespace `tenantry`
 * @throws SettingsError with every fault found
 */
export function readSettings(config: pulumi.Config, variables: NodeJS.ProcessEnv = process.env): Settings {
  const raw: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const key of Object.keys(stackSettings.shape)) {
    const text = config.get(key);
    // An empty text is a default of Pulumi.yaml: nothing was set.
    if (text === undefined || text === "") continue;
    try {
      raw[key] = isText(key, text) ? text : JSON.parse(text);
    } catch {
      faults.push(`tenantry:${key}: is not an object or list; write it as YAML under config`);
    }
  }
  if (faults.length > 0) throw new SettingsError(faults);
  return checkSettings(raw, readConnections(config, variables), readRunFlags(variables));
}

/**
 * The parsed form of `raw`, with defaults filled in.
 *
 * @throws SettingsError with every fault found
 */
export function checkSettings(raw: unknown, connections: Connections, flags: RunFlags = NO_FLAGS): Settings {
  const parsed = stackSettings.safeParse(raw);
  const faults = parsed.success ? [] : parsed.error.issues.flatMap(describeIssue);
  // Faults between parts are looked for even when a part has faults of its own, so that one run shows all.
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
