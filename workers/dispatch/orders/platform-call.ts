/** Calls of the platform's own to a tenant's Worker, which pass neither gate nor log-in. */
import type { Plan } from "../../../domain/plan.ts";
import { callWorker } from "../forward/worker-call.ts";

export interface PlatformCall {
  /** Script in the dispatch namespace. */
  worker: string;
  domain: string;
  path: string;
  /** Whose limits it runs under: the work is the platform's, whatever the tenant's plan. */
  limitsOf: Plan;
  /** Milliseconds until it is given up, the answer's body included. */
  timeoutMs: number;
  /** Sent as JSON. Default: nothing. */
  body?: unknown;
}

/** @throws WorkerMissing, or another Error when it does not answer in time */
export function callTenant(dispatcher: DispatchNamespace, call: PlatformCall): Promise<Response> {
  return callWorker(
    dispatcher,
    call,
    new Request(`https://${call.worker}.${call.domain}${call.path}`, {
      method: "POST",
      signal: AbortSignal.timeout(call.timeoutMs),
      ...(call.body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(call.body),
      }),
    }),
  );
}
