/** Operations on instances, by the API: queued here, carried out by the automation service. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { type JobKind, job, jobKinds, jobStates } from "#domain/entities/job.ts";
import { pageOf, pageQuery } from "./paging.ts";
import { BOTH_ROOTS, ROOT_ONLY, type RootRole, route, routes } from "./route.ts";

/** Who may ask for a job of a kind, and so have it cancelled, or carried out anew. The database's `cancel_job` says the same. */
export const jobRequesters: Readonly<Record<JobKind, readonly RootRole[]>> = {
  provision: BOTH_ROOTS,
  deprovision: BOTH_ROOTS,
  change_plan: BOTH_ROOTS,
  freeze: BOTH_ROOTS,
  resume: BOTH_ROOTS,
  assign_gateway: ROOT_ONLY,
  rotate_token: BOTH_ROOTS,
  adopt_version: ROOT_ONLY,
  restore_backup: BOTH_ROOTS,
  invalidate: BOTH_ROOTS,
  // The rotation of a secret asks for it (`npm run fleet -- rotate`).
  redeploy: [],
  // The automation service asks for these, by credit and by date.
  final_backup: [],
  delete_client: [],
};

/** What takes back a job that cannot be cancelled, as its request has taken effect. */
export const jobUndoings: Partial<Record<JobKind, string>> = {
  freeze: "The tenant is frozen already: resume it instead.",
  resume: "The tenant takes traffic already: freeze it instead.",
  delete_client: "Restore the client instead.",
  deprovision: "What a removal has begun is not left half done.",
};

export type Job = z.infer<typeof job>;

/** What a `step` is about: one resource that the engine begins with, has done, or failed at. */
export const jobStep = z.object({
  phase: z.enum(["begun", "done", "failed"]),
  /** The engine's word for it: `create`, `update`, `delete`, … */
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
  /** Of a `step` alone. */
  step: jobStep.nullable(),
});

const byId = z.object({ id: z.uuid() });

export const jobRoutes = routes("jobs", {
  listJobs: route("get", "/jobs", {
    summary: "List jobs, newest first",
    callers: BOTH_ROOTS,
    query: pageQuery.extend({
      status: z.enum(jobStates).optional(),
      kind: z.enum(jobKinds).optional(),
      client_id: z.uuid().optional(),
      instance_id: z.uuid().optional(),
    }),
    answer: pageOf(job),
  }),
  getJob: route("get", "/jobs/:id", {
    summary: "Get a job with its latest 200 events, oldest first",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job.extend({ events: z.array(jobEvent) }),
  }),
  cancelJob: route("post", "/jobs/:id/cancel", {
    summary: "Cancel a job that is queued still",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job,
    refusals: ["conflict", "forbidden"],
  }),
  retryJob: route("post", "/jobs/:id/retry", {
    summary: "Ask anew for what a job failed at, or was cancelled before; answers the new job",
    callers: BOTH_ROOTS,
    params: byId,
    answer: job,
    status: 202,
    refusals: ["conflict", "forbidden", "managed_by_git", "no_account_capacity", "no_ai_gateway_capacity"],
  }),
});
