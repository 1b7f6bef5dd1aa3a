/** The tenant Worker's bindings, as the stack deploys them. */
import type { Sandbox } from "./cloudflare-sandbox.ts";
import type { Supervisor } from "./supervisor.ts";

export interface TenantEnv {
  Sandbox: DurableObjectNamespace<Sandbox>;
  SUPERVISOR: DurableObjectNamespace<Supervisor>;
  BACKUP_BUCKET: R2Bucket;
  ANALYTICS: AnalyticsEngineDataset;
  /** What the gateway demands as a bearer token; never leaves the Worker but to the gateway. */
  GATEWAY_TOKEN: string;
  AI_GATEWAY_API_KEY: string;
  CF_AIG_AUTHORIZATION: string;
  AI_GATEWAY_ID: string;
  TENANT_SLUG: string;
  ENVIRONMENT: string;
  CF_ACCOUNT_ID: string;
  /** Bytes the tenant's backups may hold together; absent or empty for no limit. */
  BACKUP_STORAGE_BYTES?: string;
  /** Seconds between backups; absent or empty for {@link BACKUP_INTERVAL_MS}. */
  BACKUP_INTERVAL_SECONDS?: string;
  /** Bound by the local edge only: the supervisor of this tenant's sandbox. */
  SANDBOX_HOST?: Fetcher;
}

/**
 * Environment variables of the gateway. The AI gateway's credential goes by the name under which gateways know Cloudflare's;
 * plain `AI_GATEWAY_API_KEY` is another vendor's there, and OpenClaw would set that vendor up.
 */
export function gatewayEnvironment(env: TenantEnv): Record<string, string> {
  const all: Record<string, unknown> = {
    GATEWAY_TOKEN: env.GATEWAY_TOKEN,
    CLOUDFLARE_AI_GATEWAY_API_KEY: env.AI_GATEWAY_API_KEY,
    CF_AIG_AUTHORIZATION: env.CF_AIG_AUTHORIZATION,
    AI_GATEWAY_ID: env.AI_GATEWAY_ID,
    CF_ACCOUNT_ID: env.CF_ACCOUNT_ID,
    TENANT_SLUG: env.TENANT_SLUG,
    ENVIRONMENT: env.ENVIRONMENT,
  };
  const isSet = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && entry[1] !== "";
  return Object.fromEntries(Object.entries(all).filter(isSet));
}
