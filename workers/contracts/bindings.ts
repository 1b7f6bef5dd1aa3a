/**
 * Name and kind of every binding of each Worker. The stack's components and the Workers' `env` both derive from these types.
 * `domain/settings/platform-settings.ts` names the variables of the platform's settings.
 */
import type { VariableName } from "#domain/settings/platform.ts";
import type { Reader } from "#domain/settings/platform-settings.ts";

type OfSettings<R extends Reader> = Record<VariableName<R>, "plain_text">;

/** Bindings of the dispatch Worker (spec: "Dispatch worker bindings"). */
export interface DispatchBindings extends Partial<OfSettings<"dispatch">> {
  DISPATCHER: "dispatch_namespace";
  TENANT_INDEX: "kv_namespace";
  /** Ticks for tenants. */
  FANOUT: "queue";
  PLATFORM_DOMAIN: "plain_text";
  ENVIRONMENT: "plain_text";
  /** Issuer of Access tokens; their keys are below it. */
  ACCESS_ISSUER: "plain_text";
  /** Audience of platform roots' tokens, accepted instead of a tenant's. */
  PLATFORM_AUDIENCE: "plain_text";
  /** Base of the REST layer. */
  SUPABASE_URL: "secret_text";
  SUPABASE_SERVICE_ROLE_KEY: "secret_text";
  /** Bearer token of the platform's own requests. */
  INVALIDATE_TOKEN: "secret_text";
  /** Also accepted during a rotation. Default: none. */
  OTHER_INVALIDATE_TOKEN?: "secret_text";
  /** Password from which the key of doors' secrets is derived. */
  DOORS_KEY: "secret_text";
  /** Also decrypts during a rotation. Default: none. */
  OTHER_DOORS_KEY?: "secret_text";
  CF_ACCOUNT_ID: "plain_text";
  /** Base URL of Cloudflare's API, without a trailing slash. */
  CLOUDFLARE_API_URL: "plain_text";
  /** API token that reads the AI gateways' logs, with the queries of all tenants. */
  AI_GATEWAY_LOGS_TOKEN: "secret_text";
  /** The REST layer's `apikey`. Default: the service-role key. */
  SUPABASE_API_KEY?: "secret_text";
  /** Staging's REST layer. Default: the same as elsewhere. */
  STAGING_SUPABASE_URL?: "secret_text";
  STAGING_SUPABASE_SERVICE_ROLE_KEY?: "secret_text";
  STAGING_SUPABASE_API_KEY?: "secret_text";
}

/** Bindings of the dashboard Worker. */
export interface DashboardBindings extends Partial<OfSettings<"dashboard">> {
  DB: "hyperdrive";
  LOGOS: "r2_bucket";
  PLATFORM_DOMAIN: "plain_text";
  ENVIRONMENT: "plain_text";
  /** Issuer of Access tokens; their keys are below it. */
  ACCESS_ISSUER: "plain_text";
  /** Audience of the dashboard's Access application. */
  ACCESS_AUD: "plain_text";
  CF_ACCOUNT_ID: "plain_text";
  /** Base URL of Cloudflare's API, without a trailing slash. */
  CLOUDFLARE_API_URL: "plain_text";
  ANALYTICS_DATASET: "plain_text";
  /** API token that can only query Analytics Engine. */
  ANALYTICS_TOKEN: "secret_text";
  /** API token that can only create, change and delete service tokens of Access. */
  SERVICE_TOKENS_TOKEN: "secret_text";
  /** Stack of the platform, as `{organization}/{project}/{stack}`, for stack files of tenants. */
  PLATFORM_STACK: "plain_text";
  /** Base URL of the platform's own requests to the dispatch Worker. Without it or the token, requests to tenants fail. */
  DISPATCH_URL?: "plain_text";
  INVALIDATE_TOKEN?: "secret_text";
  /** Pushes events to open dashboards. */
  LIVE: "durable_object_namespace";
  /** Bearer token with which the automation service pushes events. */
  LIVE_TOKEN: "secret_text";
  /** Also accepted during a rotation. Default: none. */
  OTHER_LIVE_TOKEN?: "secret_text";
  /** As of the dispatch Worker. */
  DOORS_KEY: "secret_text";
  OTHER_DOORS_KEY?: "secret_text";
  /** JSON of `egressBound`, with the platform's bound as only layer. Default: none. */
  EGRESS_BOUND?: "plain_text";
  ASSETS: "assets";
}

/**
 * Bindings of each tenant's Worker (spec: "Tenant worker bindings provisioned per tenant"). No code reads `BROWSER`, `ACCESS_AUD`, `CDP_SECRET`
 * and the storage keys, and the gateway does not get them. The contract requires them, for extensions of the Worker.
 */
export interface TenantBindings extends OfSettings<"tenant"> {
  Sandbox: "durable_object_namespace";
  SUPERVISOR: "durable_object_namespace";
  BACKUP_BUCKET: "r2_bucket";
  ANALYTICS: "analytics_engine";
  BROWSER: "browser";
  TENANT_SLUG: "plain_text";
  ENVIRONMENT: "plain_text";
  CF_ACCOUNT_ID: "plain_text";
  AI_GATEWAY_ID: "plain_text";
  /** Base URL of the AI gateways, without a trailing slash. */
  AI_GATEWAY_URL: "plain_text";
  /** Plan by which the AI gateway limits the tenant's spend. */
  BILLING_PLAN: "plain_text";
  /** Name at AI gateways (`domain/ai-gateways/gateway-tenant.ts`). Default: the slug. */
  AI_GATEWAY_TENANT?: "plain_text";
  /** The tenant's origin in browsers. */
  TENANT_ORIGIN: "plain_text";
  ACCESS_AUD: "plain_text";
  /** Content hash of its bundle, which the Worker reports as its version. */
  BUNDLE_HASH: "plain_text";
  BACKUP_RETENTION_DAYS: "plain_text";
  /** Total size limit of the tenant's backups. Default: none. */
  BACKUP_STORAGE_BYTES?: "plain_text";
  /** Seconds between backups. Default: 900. */
  BACKUP_INTERVAL_SECONDS?: "plain_text";
  /** Version of the key of user tickets: with a higher one the tenant's Worker replaces it. Default: 1. */
  TICKET_KEY_VERSION?: "plain_text";
  /** Seconds without traffic and activating calls after which the sandbox sleeps. Default: it never does. */
  SLEEP_AFTER_SECONDS?: "plain_text";
  /** Most messages in the inbox, pending and dead together. Default: those of the smallest plan. */
  INBOX_MESSAGES?: "plain_text";
  /** `1`: the sandbox sleeps although channels are connected, which then hear of nothing. Default: they keep it awake. */
  SLEEP_WITH_CHANNELS?: "plain_text";
  /**
   * What the plan and the platform state of the container's network access, and the hosts that no policy allows: JSON of `egressBound`
   * (`domain/egress/policy-types.ts`). Default: nothing is stated or refused.
   */
  EGRESS_BOUND?: "plain_text";
  /** Bearer token of the gateway; the Worker sends it only to the gateway. */
  GATEWAY_TOKEN: "secret_text";
  /** Secret of the remote browser's protocol endpoint (CDP). */
  CDP_SECRET: "secret_text";
  AI_GATEWAY_API_KEY: "secret_text";
  /** The same key as the header of REST requests to an AI gateway; never passed to the container. */
  CF_AIG_AUTHORIZATION: "secret_text";
  /** Keys of the AI gateway's providers by name, as a JSON object; never passed to the container. Default: none. */
  PROVIDER_KEYS?: "secret_text";
  /** S3 credentials of the bucket. Default: none. */
  R2_ACCESS_KEY_ID?: "secret_text";
  R2_SECRET_ACCESS_KEY?: "secret_text";
}

/** Durable Object classes of a tenant's Worker. */
export const SANDBOX_CLASS = "Sandbox";
export const SUPERVISOR_CLASS = "Supervisor";

/** Durable Object class of the dashboard Worker. */
export const LIVE_CLASS = "Live";

type Text = "plain_text" | "secret_text";

/** Names of a Worker's text bindings. */
export type TextNames<B> = { [K in keyof B]-?: NonNullable<B[K]> extends Text ? K : never }[keyof B];

/** Values of a Worker's text bindings, for runs without the stack. */
export type TextValues<B> = ValuesOf<B, Text, string>;

/** Names of a Worker's secrets. */
export type SecretNames<B> = { [K in keyof B]-?: NonNullable<B[K]> extends "secret_text" ? K : never }[keyof B];

/** Values of a Worker's bindings of a kind, for runs without the stack. */
export type ValuesOf<B, Kind extends string, Value> = {
  [K in keyof B as NonNullable<B[K]> extends Kind ? K : never]: Value;
};
