/**
 * What each Worker is bound to: every binding by its name, and of which kind it is. The stack's components give exactly these, and the
 * Workers' `env` is made of them, so that neither side can have one that the other has not. The variables that settings of the platform become
 * are named in `domain/settings/platform-settings.ts`.
 */

import type { VariableName } from "#domain/settings/platform.ts";
import type { Reader } from "#domain/settings/platform-settings.ts";

/** The variables that a Worker gets of the platform's settings. */
type OfSettings<R extends Reader> = Record<VariableName<R>, "plain_text">;

/** Of the dispatch Worker (spec: "Dispatch worker bindings"). */
export interface DispatchBindings extends Partial<OfSettings<"dispatch">> {
  /** The tenants' Workers. */
  DISPATCHER: "dispatch_namespace";
  TENANT_INDEX: "kv_namespace";
  /** Ticks on their way to tenants. */
  FANOUT: "queue";
  PLATFORM_DOMAIN: "plain_text";
  ENVIRONMENT: "plain_text";
  /** Issuer of Access tokens, under which their keys lie. */
  ACCESS_ISSUER: "plain_text";
  /** Audience that platform roots may hold instead of a tenant's. */
  PLATFORM_AUDIENCE: "plain_text";
  /** Base of the REST layer. */
  SUPABASE_URL: "secret_text";
  SUPABASE_SERVICE_ROLE_KEY: "secret_text";
  /** Bearer token of the platform's own calls. */
  INVALIDATE_TOKEN: "secret_text";
  /** The token that is accepted too while the token is rotated. Default: none. */
  OTHER_INVALIDATE_TOKEN?: "secret_text";
  CF_ACCOUNT_ID: "plain_text";
  /** Base of Cloudflare's API, without a slash at its end. */
  CLOUDFLARE_API_URL: "plain_text";
  /** API token that reads the AI gateways' logs, in which the queries of all tenants stand. */
  AI_GATEWAY_LOGS_TOKEN: "secret_text";
  /** What the REST layer wants as `apikey`. Default: the service-role key. */
  SUPABASE_API_KEY?: "secret_text";
  /** The REST layer that staging has instead. Default: the same as elsewhere. */
  STAGING_SUPABASE_URL?: "secret_text";
  STAGING_SUPABASE_SERVICE_ROLE_KEY?: "secret_text";
  STAGING_SUPABASE_API_KEY?: "secret_text";
}

/** Of the dashboard Worker. */
export interface DashboardBindings extends Partial<OfSettings<"dashboard">> {
  /** The platform's database. */
  DB: "hyperdrive";
  /** The partners' logos. */
  LOGOS: "r2_bucket";
  PLATFORM_DOMAIN: "plain_text";
  ENVIRONMENT: "plain_text";
  /** Issuer of Access tokens, under which their keys lie. */
  ACCESS_ISSUER: "plain_text";
  /** Audience of the dashboard's own Access application. */
  ACCESS_AUD: "plain_text";
  CF_ACCOUNT_ID: "plain_text";
  /** Base of Cloudflare's API, without a slash at its end. */
  CLOUDFLARE_API_URL: "plain_text";
  /** Name of the environment's analytics dataset. */
  ANALYTICS_DATASET: "plain_text";
  /** API token that asks Analytics Engine, and may do nothing else. */
  ANALYTICS_TOKEN: "secret_text";
  /** Stack that holds the platform, as `{organization}/{project}/{stack}`: files of tenants name it. */
  PLATFORM_STACK: "plain_text";
  /** Where the dispatch Worker takes the platform's own calls. Without it or the token, tenants are not reached. */
  DISPATCH_URL?: "plain_text";
  INVALIDATE_TOKEN?: "secret_text";
  /** Tells open dashboards the news. */
  LIVE: "durable_object_namespace";
  /** Bearer token of the automation service, which says that there are some. */
  LIVE_TOKEN: "secret_text";
  /** The token that is accepted too while the token is rotated. Default: none. */
  OTHER_LIVE_TOKEN?: "secret_text";
  /** Files of the pages. */
  ASSETS: "assets";
}

/**
 * Of each tenant's Worker (spec: "Tenant worker bindings provisioned per tenant"). Some are there because the contract names them:
 * `BROWSER`, `ACCESS_AUD`, `CDP_SECRET` and the two of the storage keys. No code of ours reads them, and the gateway's image is not
 * given them; they are for who extends the Worker.
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
  /** Base under which the AI gateways lie, without a slash at its end. */
  AI_GATEWAY_URL: "plain_text";
  /** By which the AI gateway limits what the tenant spends. */
  BILLING_PLAN: "plain_text";
  /** How AI gateways call the tenant (`domain/ai-gateways/gateway-tenant.ts`). Default: by its slug. */
  AI_GATEWAY_TENANT?: "plain_text";
  /** Where users reach the tenant: scheme, host and port, as browsers tell it. */
  TENANT_ORIGIN: "plain_text";
  /** Audience of the Access application at the tenant's hostname. */
  ACCESS_AUD: "plain_text";
  /** Content hash of the bundle that the Worker runs, by which it tells its version. */
  BUNDLE_HASH: "plain_text";
  /** Days after which the bucket drops a backup. */
  BACKUP_RETENTION_DAYS: "plain_text";
  /** Bytes that the tenant's backups may hold together. Default: no limit. */
  BACKUP_STORAGE_BYTES?: "plain_text";
  /** Seconds between backups. Default: 900. */
  BACKUP_INTERVAL_SECONDS?: "plain_text";
  /** Version of the key of user tickets: with a higher one the tenant's Worker replaces it. Default: 1. */
  TICKET_KEY_VERSION?: "plain_text";
  /** Seconds without traffic and activating calls after which the sandbox sleeps. Default: it never does. */
  SLEEP_AFTER_SECONDS?: "plain_text";
  /** `1`: the sandbox sleeps although channels are connected, which then hear of nothing. Default: they keep it awake. */
  SLEEP_WITH_CHANNELS?: "plain_text";
  /** What the gateway demands as a bearer token; never leaves the Worker but to the gateway. */
  GATEWAY_TOKEN: "secret_text";
  /** What the remote browser's protocol endpoint (CDP) demands. */
  CDP_SECRET: "secret_text";
  AI_GATEWAY_API_KEY: "secret_text";
  /** The same, by the name under which REST calls of an AI gateway carry it; it never enters the container. */
  CF_AIG_AUTHORIZATION: "secret_text";
  /** Keys of the AI gateway's providers by the providers' names, as a JSON object; they never enter the container. Default: none. */
  PROVIDER_KEYS?: "secret_text";
  /** S3 credentials of the bucket. Default: none. */
  R2_ACCESS_KEY_ID?: "secret_text";
  R2_SECRET_ACCESS_KEY?: "secret_text";
}

/** Durable Object classes that the tenant's Worker exports. */
export const SANDBOX_CLASS = "Sandbox";
export const SUPERVISOR_CLASS = "Supervisor";

/** That of the dashboard's Worker. */
export const LIVE_CLASS = "Live";

type Text = "plain_text" | "secret_text";

/** Those of a Worker's bindings that are texts. */
export type TextNames<B> = { [K in keyof B]-?: NonNullable<B[K]> extends Text ? K : never }[keyof B];

/** Values of a Worker's text bindings, for runs without the stack. */
export type TextValues<B> = ValuesOf<B, Text, string>;

/** Those that are secrets. */
export type SecretNames<B> = { [K in keyof B]-?: NonNullable<B[K]> extends "secret_text" ? K : never }[keyof B];

/** What a Worker's bindings of a kind are given, by their names, for runs without the stack. */
export type ValuesOf<B, Kind extends string, Value> = {
  [K in keyof B as NonNullable<B[K]> extends Kind ? K : never]: Value;
};
