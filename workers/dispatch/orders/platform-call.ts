/** The platform's own requests to a tenant's Worker, which skip gate and login. */
import type { Plan } from "#domain/plans/plan.ts";
import { REQUESTER_HEADER, ROLE_HEADER } from "#workers/contracts/platform-headers.ts";
import type { Role } from "#workers/contracts/roles.ts";
import { callWorker } from "../forward/worker-call.ts";

export interface PlatformCall {
  worker: string;
  domain: string;
  path: string;
  method?: "GET" | "POST" | "PUT" | "DELETE";
  role?: Role | undefined;
  /** Plan whose limits apply, regardless of the tenant's own. */
  limitsOf: Plan;
  /** Includes reading the response body. */
  timeoutMs: number;
  body?: unknown;
  /** Value of {@link REQUESTER_HEADER}. */
  requester?: string | null;
  /** Whose body is passed on as it arrives, in place of `body`. */
  stream?: Pick<Request, "body" | "headers">;
}

/** @throws WorkerMissing, or another Error when the call fails or times out */
export function callTenant(dispatcher: DispatchNamespace, call: PlatformCall): Promise<Response> {
  const { method = "POST", role, body, requester, stream } = call;
  const headers = new Headers();
  if (role !== undefined) headers.set(ROLE_HEADER, role);
  if (requester) headers.set(REQUESTER_HEADER, requester);
  if (body !== undefined) headers.set("content-type", "application/json");
  const length = stream?.headers.get("content-length");
  if (length) headers.set("content-length", length);
  return callWorker(
    dispatcher,
    call,
    new Request(`https://${call.worker}.${call.domain}${call.path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(call.timeoutMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(stream !== undefined && { body: stream.body }),
    }),
  );
}

/** Like {@link callTenant}, but discards the response. @throws also when its status is not 2xx */
export async function notifyTenant(dispatcher: DispatchNamespace, call: PlatformCall): Promise<void> {
  const response = await callTenant(dispatcher, call);
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
}
