/** Rollouts of an image or a Worker to the dashboard's tenants, in the API. */
import * as z from "zod";
import { rollout, rolloutTenant, statusCounts } from "#domain/entities/rollout.ts";
import { rolloutTenantStatuses } from "#domain/rollouts/progress.ts";
import { wavesFault } from "#domain/rollouts/waves.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { ROOT_ONLY, route, routes } from "../route.ts";

const byId = z.object({ id: z.uuid() });
const count = z.number().int().nonnegative();

export type Rollout = z.infer<typeof rollout>;
const { image_id, worker_bundle_id, waves, soak_minutes, notice_hours, urgent } = rollout.shape;

/** How many tenants the rollout skips, and why. */
const passedBy = z.object({
  /** Declared in Git, which sets their version. */
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

export const rolloutRoutes = routes("versions", {
  listRollouts: route("get", "/rollouts", {
    summary: "List rollouts",
    callers: ROOT_ONLY,
    query: pageQuery,
    answer: pageOf(rollout),
  }),
  getRollout: route("get", "/rollouts/:id", {
    summary: "Get a rollout with its tenants",
    callers: ROOT_ONLY,
    params: byId,
    query: z.object({ status: z.enum(rolloutTenantStatuses).optional() }),
    answer: rollout.extend({
      /** Counts of all its tenants; empty waves are omitted. */
      by_wave: z.array(z.object({ wave: z.number().int(), tenants: statusCounts })),
      members: z.array(rolloutTenant),
    }),
  }),
  createRollout: route("post", "/rollouts", {
    summary: "Start a rollout of an image or a Worker",
    callers: ROOT_ONLY,
    body: z
      .strictObject({
        image_id: image_id.unwrap().optional(),
        worker_bundle_id: worker_bundle_id.unwrap().optional(),
        waves: z
          .array(waves.element.min(1).max(100))
          .min(1)
          .max(20)
          .superRefine((percents, context) => {
            const fault = wavesFault(percents);
            if (fault !== undefined) context.addIssue(fault);
          })
          .default([10, 50, 100]),
        soak_minutes: soak_minutes.min(0).max(10_080).default(30),
        notice_hours: notice_hours.min(0).max(336).default(24),
        urgent: urgent.default(false),
      })
      .refine(
        (body) => body.image_id !== undefined || body.worker_bundle_id !== undefined,
        "Specify an image, a Worker, or both.",
      ),
    answer: rollout.extend({ passed_by: passedBy }),
    status: 201,
    refusals: ["conflict", "no_account_capacity"],
  }),
  pauseRollout: route("post", "/rollouts/:id/pause", {
    summary: "Pause a rollout",
    ...versioned,
  }),
  resumeRollout: route("post", "/rollouts/:id/resume", {
    summary: "Resume a paused rollout",
    ...versioned,
  }),
  stopRollout: route("post", "/rollouts/:id/stop", {
    summary: "Stop a rollout",
    ...versioned,
  }),
  rollBackRollout: route("post", "/rollouts/:id/roll-back", {
    summary: "Roll back a rollout",
    ...versioned,
  }),
});
