/** A job, an operation that the automation service carries out: the API, the queries and the dashboard derive from this schema. */
import * as z from "zod";
import { instant } from "./entity.ts";

/** The check of `tenantry.jobs` lists the same kinds. */
export const jobKinds = [
  "provision",
  "deprovision",
  "change_plan",
  "freeze",
  "resume",
  "assign_gateway",
  "rotate_token",
  "final_backup",
  "adopt_version",
  "restore_backup",
  "delete_client",
  "invalidate",
  "redeploy",
  "push_channels",
  "push_provider_keys",
  "push_egress",
] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
export type JobState = (typeof jobStates)[number];

export const job = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  status: z.enum(jobStates),
  /** Null once the client is deleted; so is `instance_id`. */
  client_id: z.uuid().nullable(),
  instance_id: z.uuid().nullable(),
  slug: z.string(),
  /** Generation of the instance that it is for. */
  generation: z.number().int().nullable(),
  /** The rollout that it belongs to, which alone can cancel it; null for none. */
  rollout_id: z.uuid().nullable(),
  /** The backup that a job of kind `restore_backup` restores; null for other kinds. */
  backup_id: z.string().nullable(),
  /** Why it failed or was cancelled, and what to do. */
  cause: z.string().nullable(),
  attempts: z.number().int(),
  /** Percent done, for jobs that run the engine; 100 with success. */
  progress: z.number().int().min(0).max(100),
  /** E-mail address, or `service`. */
  requested_by: z.string(),
  created_at: instant,
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  /** When it starts at the earliest; null for at once. */
  not_before: instant.nullable(),
  /** Until when it may run. */
  deadline: instant,
  /** The newest later job of this kind for the same client; null for none. */
  followed_by: z.uuid().nullable(),
});
