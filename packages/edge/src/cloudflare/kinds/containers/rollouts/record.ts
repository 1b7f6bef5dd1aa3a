/** A rollout as the account stores it: the API's fields, and where it stands. */
import * as z from "zod";

const configuration = z.looseObject({ image: z.string().exactOptional(), instance_type: z.string().exactOptional() });

export const step = z.object({
  id: z.number().int(),
  description: z.string(),
  percentage: z.number(),
  status: z.enum(["pending", "progressing", "reverting", "completed", "reverted"]),
  started_at: z.string().exactOptional(),
  completed_at: z.string().exactOptional(),
});
export type Step = z.infer<typeof step>;

export const rolloutRecord = z.object({
  id: z.string(),
  description: z.string(),
  strategy: z.enum(["rolling", "new_instances"]),
  kind: z.enum(["full_auto", "full_manual"]),
  status: z.enum(["pending", "progressing", "completed", "reverted", "replaced"]),
  current_version: z.number(),
  target_version: z.number(),
  current_configuration: configuration,
  target_configuration: configuration,
  created_at: z.string(),
  last_updated_at: z.string(),
  started_at: z.string().exactOptional(),
  // Rollouts of earlier edges completed at once, without steps.
  steps: z.array(step).default([]),
  /** Number of the last step that has begun; 0 before the first. */
  current_step: z.number().default(0),
  /** The step to go back to; absent while the rollout goes forward. */
  back_to: z.number().exactOptional(),
  /** Share of instances, in percent, that have the target version when they start. */
  percentage: z.number().default(100),
  /** When the current step began or ended, in milliseconds since the epoch. */
  since: z.number().default(0),
  /** Whether instances of the target version are prepared for the current step. */
  prepared: z.boolean().default(true),
  /** Running instances when the current step began. */
  total: z.number().default(0),
  /** Instances with the target version. */
  updated: z.number().default(0),
  /** Names of the instances that the current step replaces, unless it replaces all. */
  chosen: z.array(z.string()).default([]),
  /** When instances got SIGTERM, and when they had started, by name. In milliseconds since the epoch. */
  terminated: z.record(z.string(), z.object({ at: z.number(), startedAt: z.number() })).default({}),
});
export type RolloutRecord = z.infer<typeof rolloutRecord>;

export const isOpen = ({ status }: Pick<RolloutRecord, "status">): boolean =>
  status === "pending" || status === "progressing";

/** Returns the rollouts of an application, oldest first. */
export const rolloutsOf = ({ rollouts }: { rollouts?: unknown }): RolloutRecord[] =>
  z.array(rolloutRecord).parse(rollouts ?? []);

export const openRollout = (application: { rollouts?: unknown }): RolloutRecord | undefined =>
  rolloutsOf(application).find(isOpen);
