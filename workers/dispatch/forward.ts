/** Hands a request to a tenant's Worker under the limits of its plan. */
import { planLimits } from "../../domain/plan.ts";
import {
  CALLER_HEADER,
  type Caller,
  encodeMetadata,
  METADATA_HEADER,
  ROLE_HEADER,
} from "../contracts/platform-headers.ts";
import type { Role } from "../contracts/roles.ts";
import type { TenantRecord } from "../contracts/tenant-entry.ts";
import { sanitizeHeaders } from "./headers.ts";
import { isMissing } from "./platform-call.ts";
import { Refusal } from "./refusal.ts";

const RETRY_SECONDS = 5;

/**
 * The request as the tenant's Worker gets it.
 *
 * @param by the role of a user, or who calls the health interface, which tells of no role
 */
export function forwarded(request: Request, tenant: TenantRecord, by: { role: Role } | { caller: Caller }): Request {
  const copy = new Request(request);
  const { headers } = copy;
  sanitizeHeaders(headers);
  if ("role" in by) headers.set(ROLE_HEADER, by.role);
  else {
    headers.set(CALLER_HEADER, by.caller);
    // What it carries is the platform's own token.
    if (by.caller === "platform") headers.delete("authorization");
  }
  headers.set(METADATA_HEADER, gradeOf(tenant).metadata);
  return copy;
}

/** The limits of the tenant's plan, as a dispatch namespace takes them. */
export function dispatchOptions(tenant: TenantRecord): DynamicDispatchOptions {
  return gradeOf(tenant).options;
}

/** Why there is no answer: there is no such Worker, it went over a limit or it failed. @param error what was thrown */
export function tenantRefusal(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : "";
  if (isMissing(error)) {
    return new Refusal("tenant_unavailable", "This tenant is being set up; try again in a moment.", RETRY_SECONDS);
  }
  if (/exceeded (its )?(cpu|time|resource)|too many subrequests|limit exceeded/i.test(reason)) {
    return new Refusal("limit_exceeded", "The request went over the limits of this tenant's plan.", RETRY_SECONDS);
  }
  return new Refusal("gateway_unavailable", "The tenant did not answer; try again.", RETRY_SECONDS, error);
}

/** What a tenant's plan makes of each of its requests. */
interface Grade {
  options: DynamicDispatchOptions;
  /** Value of `X-Platform-Metadata`. */
  metadata: string;
}

/** A record stays the same object while it is cached, and so does what is made of it. */
const grades = new WeakMap<TenantRecord, Grade>();

function gradeOf(tenant: TenantRecord): Grade {
  let grade = grades.get(tenant);
  if (grade === undefined) {
    const { billing_plan: plan, seats, credits } = tenant;
    const { cpuMs, subrequests } = planLimits(plan);
    grade = {
      options: { limits: { cpuMs, subRequests: subrequests } },
      metadata: encodeMetadata({ v: 1, plan, seats, credits, limits: { cpuMs, subrequests } }),
    };
    grades.set(tenant, grade);
  }
  return grade;
}
