/** A request as a tenant's Worker gets it, and what its sender is told when that does not answer. */
import { planLimits } from "#domain/plans/plan.ts";
import {
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
import { Refusal } from "../refusal.ts";
import { sanitizeHeaders } from "./headers.ts";
import { LimitExceeded, WorkerMissing } from "./worker-call.ts";

const RETRY_SECONDS = 5;

/**
 * The request as the tenant's Worker gets it.
 *
 * @param by a user, or who calls the health interface, which tells of no user
 */
export function forwarded(
  request: Request,
  tenant: TenantRecord,
  by: { email: string; role: Role } | { caller: Caller },
): Request {
  const copy = new Request(request);
  const { headers } = copy;
  sanitizeHeaders(headers);
  if ("role" in by) {
    headers.set(ROLE_HEADER, by.role);
    headers.set(USER_HEADER, encodeUser(by.email));
  } else {
    headers.set(CALLER_HEADER, by.caller);
    // What it carries is the platform's own token.
    if (by.caller === "platform") headers.delete("authorization");
  }
  headers.set(METADATA_HEADER, metadataOf(tenant));
  return copy;
}

/** Why there is no answer, for its sender. @param error what calling the tenant's Worker threw */
export function tenantRefusal(error: unknown): Refusal {
  if (error instanceof WorkerMissing) {
    return new Refusal("tenant_unavailable", "This tenant is being set up; try again in a moment.", RETRY_SECONDS);
  }
  if (error instanceof LimitExceeded) {
    return new Refusal("limit_exceeded", "The request went over the limits of this tenant's plan.", RETRY_SECONDS);
  }
  return new Refusal("gateway_unavailable", "The tenant did not answer; try again.", RETRY_SECONDS, error);
}

/** A record stays the same object while it is cached, and so does the value of `X-Platform-Metadata` that is made of it. */
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
