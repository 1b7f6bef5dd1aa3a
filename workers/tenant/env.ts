/** The tenant Worker's bindings, as the stack deploys them. */
import type { SandboxCalls } from "./sandbox/calls.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";

export interface TenantEnv {
  Sandbox: DurableObjectNamespace<SandboxCalls>;
  SUPERVISOR: DurableObjectNamespace<SupervisorCalls>;
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
  /** Days after which the bucket drops a backup; absent or empty for 365. */
  BACKUP_RETENTION_DAYS?: string;
  /** Seconds between backups; absent or empty for {@link BACKUP_INTERVAL_MS}. */
  BACKUP_INTERVAL_SECONDS?: string;
  /** Seconds without traffic and activating calls after which the sandbox sleeps; absent or empty for never. */
  SLEEP_AFTER_SECONDS?: string;
  /** Seconds that the gateway may take to begin an answer; absent or empty for {@link ANSWER_TIMEOUT_MS}. */
  GATEWAY_ANSWER_SECONDS?: string;
  /** Seconds that the gateway may not be live, with its process alive, before it is restarted; absent or empty for {@link HANG_MS}. */
  GATEWAY_HANG_SECONDS?: string;
}

/** A binding's seconds in milliseconds; `undefined` when it is absent or empty. @throws Error when it is no positive number */
export function bindingMs(name: string, value: string | undefined): number | undefined {
  const seconds = positiveBinding(name, value);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** A binding's positive number; `undefined` when it is absent or empty. @throws Error when it is something else */
export function positiveBinding(name: string, value: string | undefined): number | undefined {
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!(number > 0)) throw new Error(`the binding ${name} is not a positive number`);
  return number;
}
