/** The tenant Worker's bindings. */
import type { TenantBindings } from "#workers/contracts/bindings.ts";
import type { EnvOf } from "#workers/shared/env.ts";
import type { SandboxCalls } from "./sandbox/calls.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";

export interface TenantEnv extends EnvOf<TenantBindings> {
  Sandbox: DurableObjectNamespace<SandboxCalls>;
  SUPERVISOR: DurableObjectNamespace<SupervisorCalls>;
  // The stack does not set the following bindings; tests do.
  /** Time limit for the start of the gateway's response. Default: {@link RESPONSE_TIMEOUT_MS}. */
  GATEWAY_ANSWER_SECONDS?: string;
  /** How long a running gateway may not be live before it is restarted. Default: {@link HANG_MS}. */
  GATEWAY_HANG_SECONDS?: string;
  /** How long before a gateway's job its sandbox is woken. Default: {@link WAKE_LEAD_MS}. */
  WAKE_LEAD_SECONDS?: string;
}

/** Converts a binding from seconds to milliseconds; `undefined` when it is absent or empty. @throws Error when it is not a positive number */
export function bindingMs(name: string, value: string | undefined): number | undefined {
  const seconds = positiveBinding(name, value);
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Parses a binding; `undefined` when it is absent or empty. @throws Error when it is not a positive number */
export function positiveBinding(name: string, value: string | undefined): number | undefined {
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!(number > 0)) throw new Error(`The binding ${name} must be a positive number.`);
  return number;
}
