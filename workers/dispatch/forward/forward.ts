/** Prepares a request for a tenant's Worker, and maps its failures to refusals. */
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { planLimits } from "#domain/plans/plan.ts";
import {
  ADMITTED_AT_HEADER,
  CALLER_HEADER,
  type Caller,
  encodeMetadata,
  encodeUser,
  METADATA_HEADER,
  ROLE_HEADER,
  USER_HEADER,
} from "#workers/contracts/platform-headers.ts";
import type { Role } from "#workers/contracts/roles.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { type Refusal, refusal } from "../refusal.ts";
import { sanitizeHeaders } from "./headers.ts";
import { LimitExceeded, WorkerMissing } from "./worker-call.ts";

const RETRY_SECONDS = 5;

/**
 * Returns a copy of the request with the platform's headers.
 *
 * @param o.by a user, or the caller of a public path
 * @param o.admittedAt when the read of tenant and user began, in milliseconds since the epoch
 */
export function forwarded(
  request: Request,
  {
    tenant,
    by,
    admittedAt,
  }: { tenant: TenantRecord; by: { email: string; role: Role } | { caller: Caller }; admittedAt: number },
): Request {
  const copy = new Request(request);
  const { headers } = copy;
  sanitizeHeaders(headers);
  if ("role" in by) {
    headers.set(ROLE_HEADER, by.role);
    headers.set(USER_HEADER, encodeUser(by.email));
  } else {
    headers.set(CALLER_HEADER, by.caller);
    // It is the platform's own token.
    if (by.caller === "platform") headers.delete("authorization");
  }
  headers.set(METADATA_HEADER, metadataOf(tenant));
  headers.set(ADMITTED_AT_HEADER, String(admittedAt));
  return copy;
}

export function tenantRefusal(error: unknown): Refusal {
  if (error instanceof WorkerMissing) {
    return refusal(trafficErrors.tenant_being_set_up, {}, { retryAfter: RETRY_SECONDS });
  }
  if (error instanceof LimitExceeded) {
    return refusal(trafficErrors.plan_limits_exceeded, {}, { retryAfter: RETRY_SECONDS });
  }
  return refusal(trafficErrors.tenant_no_response, {}, { retryAfter: RETRY_SECONDS, cause: error });
}

/** Values of `X-Platform-Metadata` for cached records. */
const encoded = new WeakMap<TenantRecord, string>();

function metadataOf(tenant: TenantRecord): string {
  let metadata = encoded.get(tenant);
  if (metadata === undefined) {
    const { billing_plan: plan, seats, credits } = tenant;
    const { cpuMs, subrequests } = planLimits(plan);
    metadata = encodeMetadata({ v: 1, plan, seats, credits, limits: { cpuMs, subrequests } });
    encoded.set(tenant, metadata);
  }
  return metadata;
}
