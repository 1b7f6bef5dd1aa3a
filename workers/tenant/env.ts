/** The tenant Worker's bindings, as the stack deploys them. */
import type { TenantBindings } from "#workers/contracts/bindings.ts";
import type { EnvOf } from "#workers/shared/env.ts";
import type { SandboxCalls } from "./sandbox/calls.ts";
import type { SupervisorCalls } from "./supervisor-calls.ts";

export interface TenantEnv extends EnvOf<TenantBindings> {
  Sandbox: DurableObjectNamespace<SandboxCalls>;
  SUPERVISOR: DurableObjectNamespace<SupervisorCalls>;
  // The stack gives none of the following: they are for who runs the Worker elsewhere, such as a test.
  /** Seconds that the gateway may take to begin an answer; absent or empty for {@link ANSWER_TIMEOUT_MS}. */
  GATEWAY_ANSWER_SECONDS?: string;
  /** Seconds that the gateway may not be live, with its process alive, before it is restarted; absent or empty for {@link HANG_MS}. */
  GATEWAY_HANG_SECONDS?: string;
  /** Seconds before a gateway's job at which its sandbox is woken; absent or empty for {@link WAKE_LEAD_MS}. */
  WAKE_LEAD_SECONDS?: string;
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
