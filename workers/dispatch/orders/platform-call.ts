/** Calls of the platform's own to a tenant's Worker, which pass neither gate nor log-in. */
import type { Plan } from "#domain/plans/plan.ts";
import { ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import type { Role } from "#workers/contracts/roles.ts";
import { callWorker } from "../forward/worker-call.ts";

export interface PlatformCall {
  /** Script in the dispatch namespace. */
  worker: string;
  domain: string;
  path: string;
  /** Default: `POST`. */
  method?: "GET" | "POST";
  /** As whom it is made. Default: nobody, which the platform's own paths need not know. */
  role?: Role;
  /** Whose limits it runs under: the work is the platform's, whatever the tenant's plan. */
  limitsOf: Plan;
  /** Milliseconds until it is given up, the answer's body included. */
  timeoutMs: number;
  /** Sent as JSON. Default: nothing. */
  body?: unknown;
}

/** @throws WorkerMissing, or another Error when it does not answer in time */
export function callTenant(dispatcher: DispatchNamespace, call: PlatformCall): Promise<Response> {
  const { method = "POST", role, body } = call;
  const headers = new Headers();
  if (role !== undefined) headers.set(ROLE_HEADER, role);
  if (body !== undefined) headers.set("content-type", "application/json");
  return callWorker(
    dispatcher,
    call,
    new Request(`https://${call.worker}.${call.domain}${call.path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(call.timeoutMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}
