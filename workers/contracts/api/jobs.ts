/** Jobs in the API: requests queue them, the automation service runs them. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { type JobKind, job, jobKinds, jobStates } from "#domain/entities/job.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, ROOT_AND_ADMINS, ROOT_ONLY, ROOTS_AND_ADMINS, type Role, route, routes } from "./route.ts";

/**
 * Roles that may request and cancel a job of each kind, and of roots also retry it. An ADMIN cancels what an ADMIN of the client requested. The
 * database's `cancel_job` has the same rules.
 */
export const jobRequesters: Readonly<Record<JobKind, readonly Role[]>> = {
  provision: BOTH_ROOTS,
  deprovision: BOTH_ROOTS,
  change_plan: ROOTS_AND_ADMINS,
  freeze: BOTH_ROOTS,
  resume: BOTH_ROOTS,
  assign_gateway: ROOT_ONLY,
  rotate_token: BOTH_ROOTS,
  adopt_version: ROOT_AND_ADMINS,
  restore_backup: ROOTS_AND_ADMINS,
  invalidate: BOTH_ROOTS,
  push_channels: BOTH_ROOTS,
  push_provider_keys: BOTH_ROOTS,
  push_egress: BOTH_ROOTS,
  // Requested by a rotation (`npm run fleet -- rotate`).
  redeploy: [],
  // Requested by the automation service.
  final_backup: [],
  delete_client: [],
};

/** Otherwise a door, a token or a key that was deleted would stay in use. */
const PUSH = "The change that it sends is already stored. Undo the change instead.";

/** How to undo a job that cannot be cancelled because its request took effect at once. */
export const jobUndoings: Partial<Record<JobKind, string>> = {
  freeze: "The tenant is already frozen. Resume it instead.",
  resume: "The tenant already takes traffic. Freeze it instead.",
  delete_client: "Restore the client instead.",
  deprovision: "A removal cannot stop halfway.",
  invalidate: PUSH,
  push_channels: PUSH,
  push_provider_keys: PUSH,
  push_egress: PUSH,
};

export type Job = z.infer<typeof job>;

/** Data of a `step` event: the engine starts, completes or fails an operation on one resource. */
export const jobStep = z.object({
  phase: z.enum(["begun", "done", "failed"]),
  /** The engine's name for it: `create`, `update`, `delete`, … */
  operation: z.string(),
  type: z.string(),
  resource: z.string(),
  milliseconds: z.number().int(),
});

const jobEvent = z.object({
  id: z.number().int(),
  at: instant,
  kind: z.string(),
  message: z.string(),
  /** Null unless `kind` is `step`. */
  step: jobStep.nullable(),
});

const byId = z.object({ id: z.uuid() });

export const jobRoutes = routes("jobs", {
  listJobs: route("get", "/jobs", {
    summary: "List jobs",
    callers: ROOTS_AND_ADMINS,
    query: pageQuery.extend({
      status: z.enum(jobStates).optional(),
      kind: z.enum(jobKinds).optional(),
      client_id: z.uuid().optional(),
      instance_id: z.uuid().optional(),
    }),
    answer: pageOf(job),
  }),
  getJob: route("get", "/jobs/:id", {
    summary: "Get a job with its events",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: job.extend({ events: z.array(jobEvent) }),
  }),
  cancelJob: route("post", "/jobs/:id/cancel", {
    summary: "Cancel a queued job",
    callers: ROOTS_AND_ADMINS,
    params: byId,
    answer: job,
    refusals: ["conflict", "forbidden"],
  }),
  retryJob: route("post", "/jobs/:id/retry", {
    summary: "Retry a failed or cancelled job",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity", "no_ai_gateway_capacity"],
  }),
});
