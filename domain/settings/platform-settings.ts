/**
 * The settings of a platform (`tenantry:platform` of its stack). Each is declared once, here. Every setting is an argument of the component
 * `Platform`, by its own name.
 */
import { ACCESS_GROUP_RULES, SCRIPT_VARIABLE_BYTES } from "@tenantry/cloudflare-limits/values";
import * as z from "zod";
import { healthApplications } from "../access/access-addresses.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../channels/kinds.ts";
import { environments } from "../environment.ts";
import { type AccountUse, DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "../plans/account-limits.ts";
import { byPlan } from "../plans/plan.ts";
import { KEY_PROVIDERS, type KeyProvider, keyProviders } from "../provider-keys/providers.ts";
import { GATEWAY_MEMORY_MIB, instanceTypes, MOST_MEMORY_MIB } from "../tenants/instance-type.ts";
import { choiceSchema } from "./choice.ts";
import { egressSetting } from "./egress.ts";

/** A Worker or service that gets settings as variables. */
export type Reader = "automation" | "dashboard" | "dispatch" | "tenant";

export interface PlatformSetting {
  /** With default and description. */
  readonly schema: z.ZodType;
  /** Name of its variable, by reader. A variable of `tenant` requires a setting with a default. Default: none. */
  readonly variables?: Readonly<Partial<Record<Reader, string>>>;
  /** Whether the output `platform` has it, for stacks of tenants. A variable of `tenant` implies it. Default: no. */
  readonly tenants?: boolean;
}

const DNS_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** Cloudflare's predefined profile "Financial Information", the same in every account. */
const FINANCIAL_INFORMATION = "e91a2360-da51-4fdf-9711-bcdecd462614";

/** The variable `EGRESS_BOUND` has the policy, and less than 500 bytes beside it. */
const MAX_EGRESS_BYTES = SCRIPT_VARIABLE_BYTES - 500;

/** A group has one rule for each root user, and one for the group of those in the stack file. */
const MAX_ROOT_USERS = ACCESS_GROUP_RULES - 1;

const aiGateway = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, "use at most 64 lower-case letters, digits and inner hyphens")
      .describe("ID of the gateway at Cloudflare."),
    capacity: z.int().nonnegative().describe("Most instances that may bind it."),
    environment: choiceSchema(environments, "environment")
      .optional()
      .describe("The one environment that may bind it. Default: any in production, elsewhere the stack's own."),
    enabled: z.boolean().default(true).describe("Whether new instances may bind it. Default: true."),
  })
  .describe("A shared AI gateway.");

const atMost = (what: string, fallback: number) =>
  z.int().nonnegative().default(fallback).describe(`${what} that the platform may have there. Default: ${fallback}.`);

const channelApi = (kind: ChannelKind) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(`Of ${CHANNEL_KINDS[kind].label}. Default: ${CHANNEL_KINDS[kind].api || "the channel's own server"}.`);

const providerApi = (provider: KeyProvider) =>
  z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(`Of ${KEY_PROVIDERS[provider].label}. Default: ${KEY_PROVIDERS[provider].api}.`);
const providerApis = Object.fromEntries(keyProviders.map((provider) => [provider, providerApi(provider)])) as Record<
  KeyProvider,
  ReturnType<typeof providerApi>
>;

const limits = z
  .strictObject({
    accessApplications: atMost("Access applications", DEFAULT_ACCOUNT_LIMITS.accessApplications),
    accessGroups: atMost("Access groups", DEFAULT_ACCOUNT_LIMITS.accessGroups),
    accessPolicies: atMost("Reusable Access policies", DEFAULT_ACCOUNT_LIMITS.accessPolicies),
    apiTokens: atMost("API tokens", DEFAULT_ACCOUNT_LIMITS.apiTokens),
    aiGateways: atMost("AI gateways", DEFAULT_ACCOUNT_LIMITS.aiGateways),
  } satisfies Record<keyof AccountUse, z.ZodType>)
  .prefault({})
  .describe("What the account may hold by its plan, less what others than the platform use. Default: the vendor's.");

export const PLATFORM_SETTINGS = {
  domain: {
    schema: z
      .string()
      .regex(DNS_NAME, "use a DNS name in lower case, such as agents.example.com")
      .describe("Domain of the zone; tenants are hosts of it. Environments may share it."),
  },
  accountId: {
    schema: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "use the account's 32 hexadecimal digits")
      .describe("Cloudflare account."),
  },
  zoneId: {
    schema: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "use the zone's 32 hexadecimal digits")
      .describe("Cloudflare zone of the domain."),
  },
  containerImage: {
    schema: z.string().min(1).describe("Image of the gateway's container, with its tag or digest."),
    tenants: true,
  },
  containers: {
    schema: z
      .strictObject(
        byPlan(({ container }, plan) =>
          choiceSchema(instanceTypes, "instance type")
            .default(container)
            .describe(`Of the plan ${plan}. Default: ${container}.`),
        ),
      )
      .prefault({})
      .describe("Cloudflare's instance type of each plan's containers. A change restarts the plan's tenants."),
    variables: { dashboard: "CONTAINERS" },
    tenants: true,
  },
  gatewayMemoryMiB: {
    schema: z
      .int()
      .positive()
      .max(MOST_MEMORY_MIB, `the largest instance type has ${MOST_MEMORY_MIB} MiB; use at most that`)
      .default(GATEWAY_MEMORY_MIB)
      .describe(
        `Memory that the image's gateway needs, in MiB; a run warns of plans whose containers have less. Default: ${GATEWAY_MEMORY_MIB}, for OpenClaw.`,
      ),
    tenants: true,
  },
  rootUsers: {
    schema: z
      .array(z.email())
      .min(1)
      .max(MAX_ROOT_USERS, "an Access group holds 1,000 rules; name at most 999, and make others users of tenants")
      .describe(
        "E-mail addresses of platform administrators whom the dashboard cannot lock out, at most 999; others are added in the dashboard.",
      ),
  },
  aiGateways: {
    schema: z.array(aiGateway).default([]).describe("The pool of shared AI gateways. Default: none."),
  },
  channelApis: {
    schema: z
      .strictObject({
        telegram: channelApi("telegram"),
        slack: channelApi("slack"),
        discord: channelApi("discord"),
        line: channelApi("line"),
        googlechat: channelApi("googlechat"),
        msteams: channelApi("msteams"),
        matrix: channelApi("matrix"),
      } satisfies Partial<Record<ChannelKind, z.ZodType>>)
      .optional()
      .describe(
        "Base URLs of the APIs of messengers, for platforms that run against stand-ins. Default: the vendors'.",
      ),
    variables: { dashboard: "CHANNEL_APIS" },
  },
  providerApis: {
    schema: z
      .strictObject(providerApis)
      .optional()
      .describe(
        "Base URLs at which the dashboard checks tenants' own provider keys, for platforms that run against stand-ins. Default: the providers'.",
      ),
    variables: { dashboard: "PROVIDER_APIS" },
  },
  notice: {
    schema: z
      .string()
      .trim()
      .min(1)
      .max(300)
      .optional()
      .describe("A sentence that every page of the dashboard shows, such as of planned work. Default: none."),
    variables: { dashboard: "NOTICE" },
  },
  createDedicatedAiGateways: {
    schema: z
      .boolean()
      .default(true)
      .describe("Whether a tenant that the pool has no room for gets a gateway of its own. Default: true."),
    variables: { dashboard: "AI_GATEWAY_CREATE_DEDICATED" },
    tenants: true,
  },
  defaultModel: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*\/\S+$/, "use provider/model, such as openai/gpt-5-mini")
      .default("openai/gpt-5-mini")
      .describe("Model that new agents use, as provider/model. Default: openai/gpt-5-mini."),
    variables: { tenant: "DEFAULT_MODEL" },
  },
  egress: {
    schema: egressSetting
      .refine((policy) => JSON.stringify(policy).length <= MAX_EGRESS_BYTES, {
        error: `has more than ${MAX_EGRESS_BYTES} bytes as JSON, which a Worker's variable cannot hold; state it for partners or clients instead`,
      })
      .prefault({ mode: "open" })
      .describe("What all tenants may reach at most; partners and tenants can only be stricter. Default: open."),
    tenants: true,
  },
  backupRetentionDays: {
    schema: z
      .int()
      .positive()
      .default(365)
      .describe("Days after which the bucket itself drops a backup; the Worker keeps them for 30. Default: 365."),
    tenants: true,
  },
  pii: {
    schema: z
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
    tenants: true,
  },
  aiSpendLimits: {
    schema: z
      .strictObject(
        byPlan(({ aiSpendUsd }, plan) =>
          z
            .number()
            .positive()
            .nullable()
            .default(aiSpendUsd)
            .describe(`Of the plan ${plan}; null: no limit. Default: ${aiSpendUsd ?? "no limit"}.`),
        ),
      )
      .prefault({})
      .describe(
        "US dollars that a tenant of each plan may spend at its AI gateway in any 30 days. Above that, the gateway answers requests to models with 429.",
      ),
    tenants: true,
  },
  protect: {
    schema: z
      .boolean()
      .optional()
      .describe(
        "Whether the engine refuses to delete what every tenant depends on: namespace, database and route. Default: in production.",
      ),
  },
  healthApplication: {
    schema: choiceSchema(healthApplications, "kind of health application")
      .default(DEFAULT_TENANT_SHAPE.healthApplication)
      .describe(
        "Whether one Access application opens the health of all tenants, or each has one (tenant), which takes twice as many; in staging it is always one. Default: shared.",
      ),
    tenants: true,
  },
  bucketCredentials: {
    schema: z
      .boolean()
      .default(DEFAULT_TENANT_SHAPE.bucketCredentials)
      .describe(
        "Whether each tenant has credentials for its own bucket, for images that read it themselves. Each tenant then takes one more API token. Default: false.",
      ),
    tenants: true,
  },
  serviceTokens: {
    schema: z
      .boolean()
      .default(DEFAULT_TENANT_SHAPE.serviceTokens)
      .describe(
        "Whether programs and devices reach tenants with service tokens. Each tenant then takes one more reusable Access policy. Default: true.",
      ),
    variables: { dashboard: "SERVICE_ACCESS" },
    tenants: true,
  },
  limits: { schema: limits, tenants: true },
  restAuthenticator: {
    schema: z
      .string()
      .regex(/^[a-z_][a-z0-9_]{0,62}$/, "use the name of a PostgreSQL role")
      .optional()
      .describe(
        "Role the REST layer logs in as, which is then granted the dispatch role (Supabase: authenticator). Default: none.",
      ),
  },
} as const satisfies Readonly<Record<string, PlatformSetting>>;
