/** The tenant Worker's bindings, as the stack deploys them. */

import type { TenantBindings } from "../contracts/bindings.ts";
import { METRICS_PATH } from "../contracts/internal.ts";
import { METRICS_ENDPOINT_VARIABLE, METRICS_HOST } from "../contracts/sandbox.ts";
import type { EnvOf } from "../shared/env.ts";
import type { Sandbox } from "./sandbox/object.ts";
import type { Supervisor } from "./supervisor.ts";

export interface TenantEnv extends EnvOf<TenantBindings> {
  Sandbox: DurableObjectNamespace<Sandbox>;
  SUPERVISOR: DurableObjectNamespace<Supervisor>;
  // The stack gives none of the following: they are for who runs the Worker elsewhere, such as a test.
  /** Seconds between backups; absent or empty for {@link BACKUP_INTERVAL_MS}. */
  BACKUP_INTERVAL_SECONDS?: string;
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
    [METRICS_ENDPOINT_VARIABLE]: `http://${METRICS_HOST}${METRICS_PATH}`,
  };
  const isSet = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && entry[1] !== "";
  return Object.fromEntries(Object.entries(all).filter(isSet));
}
