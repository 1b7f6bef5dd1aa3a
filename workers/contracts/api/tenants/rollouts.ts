/** Roll-outs of an image or a Worker to the dashboard's tenants, by the API. */
import * as z from "zod";
import { rolloutStatuses, rolloutTenantStatuses } from "#domain/rollouts/progress.ts";
import { wavesFault } from "#domain/rollouts/waves.ts";
import { instant, pageOf, pageQuery } from "../paging.ts";
import { ROOT_ONLY, route } from "../route.ts";

const byId = z.object({ id: z.uuid() });
const count = z.number().int().nonnegative();

const statusCounts = z.partialRecord(z.enum(rolloutTenantStatuses), count);

export const rollout = z.object({
  id: z.uuid(),
  /** Null for one of a Worker alone. */
  image_id: z.uuid().nullable(),
  /** Null for one of an image alone. */
  worker_bundle_id: z.uuid().nullable(),
  /** Percent of the tenants that have it after each wave. The canaries come before, as wave 0. */
  waves: z.array(z.number().int()),
  /** For how long a wave has to stay healthy before the next begins. */
  soak_minutes: z.number().int(),
  /** For how long a tenant's administrators know before it is interrupted. */
  notice_hours: z.number().int(),
  /** Whether it waits for neither notice nor maintenance windows. */
  urgent: z.boolean(),
  status: z.enum(rolloutStatuses),
  /** The wave under way. */
  wave: z.number().int(),
  /** Why it stopped; null where nothing went wrong. */
  cause: z.string().nullable(),
  requested_by: z.string(),
  /** How many of its tenants are of each status. */
  tenants: statusCounts,
  created_at: instant,
  updated_at: instant,
  ended_at: instant.nullable(),
  version: z.number().int(),
});
export type Rollout = z.infer<typeof rollout>;

const rolloutTenant = z.object({
  instance_id: z.uuid(),
  client: z.object({ id: z.uuid(), slug: z.string() }),
  wave: z.number().int(),
  status: z.enum(rolloutTenantStatuses),
  /** When it is changed at the earliest; null while that is not said. */
  not_before: instant.nullable(),
  changed_at: instant.nullable(),
  /** The job that changes it, or takes it back; null while there is none. */
  job_id: z.uuid().nullable(),
  /** Backup of its state of before; null where there is none. */
  backup_id: z.string().nullable(),
  cause: z.string().nullable(),
});

/** Tenants that it does not reach. */
const passedBy = z.object({
  /** Declared in Git: their files say what they run. */
  git: count,
  pinned: count,
  /** Being provisioned, removed, or in error. */
  not_running: count,
});

const versioned = {
  callers: ROOT_ONLY,
  params: byId,
  answer: rollout,
  refusals: ["conflict"] as const,
  versioned: true,
};

export const rolloutRoutes = {
  listRollouts: route({
    method: "get",
    path: "/rollouts",
    tag: "versions",
    summary: "List roll-outs, newest first",
    callers: ROOT_ONLY,
    query: pageQuery,
    answer: pageOf(rollout),
  }),
  getRollout: route({
    method: "get",
    path: "/rollouts/:id",
    tag: "versions",
    summary: "Get a roll-out with its first 500 tenants, by wave",
    callers: ROOT_ONLY,
    params: byId,
    query: z.object({ status: z.enum(rolloutTenantStatuses).optional() }),
    answer: rollout.extend({
      /** All of its tenants, counted; a wave without any is left out. */
      by_wave: z.array(z.object({ wave: z.number().int(), tenants: statusCounts })),
      members: z.array(rolloutTenant),
    }),
  }),
  createRollout: route({
    method: "post",
    path: "/rollouts",
    tag: "versions",
    summary:
      "Roll an image or a Worker out: canaries first, then wave after wave, each begun when the one before has stayed healthy",
    callers: ROOT_ONLY,
    body: z
      .strictObject({
        image_id: z.uuid().optional(),
        worker_bundle_id: z.uuid().optional(),
        waves: z
          .array(z.number().int().min(1).max(100))
          .min(1)
          .max(20)
          .superRefine((waves, context) => {
            const fault = wavesFault(waves);
            if (fault !== undefined) context.addIssue(fault);
          })
          .default([10, 50, 100]),
        soak_minutes: z.number().int().min(0).max(10_080).default(30),
        notice_hours: z.number().int().min(0).max(336).default(24),
        urgent: z.boolean().default(false),
      })
      .refine(
        (body) => body.image_id !== undefined || body.worker_bundle_id !== undefined,
        "Name an image, a Worker, or both.",
      ),
    answer: rollout.extend({ passed_by: passedBy }),
    status: 201,
    refusals: ["conflict", "no_account_capacity"],
  }),
  pauseRollout: route({
    method: "post",
    path: "/rollouts/:id/pause",
    tag: "versions",
    summary: "Let a roll-out wait: what is being changed is finished",
    ...versioned,
  }),
  resumeRollout: route({
    method: "post",
    path: "/rollouts/:id/resume",
    tag: "versions",
    summary: "Let a paused roll-out go on",
    ...versioned,
  }),
  stopRollout: route({
    method: "post",
    path: "/rollouts/:id/stop",
    tag: "versions",
    summary: "End a roll-out: who has the version keeps it, nobody else gets it",
    ...versioned,
  }),
  rollBackRollout: route({
    method: "post",
    path: "/rollouts/:id/roll-back",
    tag: "versions",
    summary:
      "Take all of a roll-out back: each tenant to what it ran before, with the backup of then where its state is too new for that",
    ...versioned,
  }),
};
