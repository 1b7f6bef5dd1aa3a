/** Hands a request to a tenant's Worker under the limits of its plan. */
import { planLimits } from "../../domain/plan.ts";
import { encodeMetadata, METADATA_HEADER, ROLE_HEADER } from "../contracts/platform-headers.ts";
import type { Role } from "../contracts/roles.ts";
import type { TenantRecord } from "../contracts/tenant-entry.ts";
import { sanitizeHeaders } from "./headers.ts";
import { Refusal } from "./refusal.ts";

const RETRY_SECONDS = 5;

/**
 * The tenant's answer, WebSockets included.
 *
 * @param role left out for a call without login
 * @throws Refusal when there is no such Worker, it went over a limit or it failed
 */
export async function forward(
  request: Request,
  tenant: TenantRecord,
  role: Role | undefined,
  dispatcher: DispatchNamespace,
): Promise<Response> {
  const { cpuMs, subrequests } = planLimits(tenant.billing_plan);
  const forwarded = new Request(request);
  sanitizeHeaders(forwarded.headers);
  if (role) forwarded.headers.set(ROLE_HEADER, role);
  forwarded.headers.set(METADATA_HEADER, metadataOf(tenant));
  try {
    const worker = dispatcher.get(tenant.worker_name, {}, { limits: { cpuMs, subRequests: subrequests } });
    return await worker.fetch(forwarded);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    if (/worker not found/i.test(reason)) {
      throw new Refusal("tenant_unavailable", "This tenant is being set up; try again in a moment.", RETRY_SECONDS);
    }
    if (/exceeded (its )?(cpu|time|resource)|too many subrequests|limit exceeded/i.test(reason)) {
      throw new Refusal("limit_exceeded", "The request went over the limits of this tenant's plan.", RETRY_SECONDS);
    }
    throw new Refusal("gateway_unavailable", "The tenant did not answer; try again.", RETRY_SECONDS, error);
  }
}

/** A record stays the same object while it is cached, and so does what is made of it. */
const metadata = new WeakMap<TenantRecord, string>();

function metadataOf(tenant: TenantRecord): string {
  let encoded = metadata.get(tenant);
  if (encoded === undefined) {
    const { billing_plan: plan, seats, credits } = tenant;
    const { cpuMs, subrequests } = planLimits(plan);
    encoded = encodeMetadata({ v: 1, plan, seats, credits, limits: { cpuMs, subrequests } });
    metadata.set(tenant, encoded);
  }
  return encoded;
}
