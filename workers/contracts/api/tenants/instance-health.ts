/** How an instance is, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { instanceStates } from "#domain/tenants/instance-state.ts";
import { awakeReasons } from "../../tenant/sandbox-status.ts";
import { incident } from "./incidents.ts";

const flags = { startup_ok: z.boolean(), readiness_ok: z.boolean(), liveness_ok: z.boolean() };
const use = z.object({ used_bytes: z.number().nonnegative(), total_bytes: z.number().nonnegative() });

export const instanceHealth = z.object({
  status: z.enum(instanceStates),
  state_cause: z.string().nullable(),
  state_deadline: instant.nullable(),
  generation: z.number().int(),
  /** By a passive look, just now. */
  gateway: z.object({
    /** `unknown`: nobody could look. */
    state: z.enum(["up", "down", "unknown"]),
    /** Of the looked at; null where nobody looked. A gateway that starts is not up yet. */
    phase: z.enum(["running", "starting", "stopped"]).nullable(),
    /** Why it is not up, or could not be looked at. */
    reason: z.string().nullable(),
    probes: z.object({ ...flags, had_backup: z.boolean(), restored: z.boolean(), latency_ms: z.number() }).nullable(),
  }),
  /** Of its container. `at` is null when none is known, for `reason`. */
  heartbeat: z.object({ at: instant.nullable(), reason: z.string().nullable() }),
  /** Null where nobody could look; a part is null where it is not known. */
  sandbox: z
    .object({
      state: z.enum(["awake", "asleep", "ending", "unknown"]),
      disk: use.nullable(),
      memory: use.nullable(),
      warnings: z.array(z.string()),
      /** Null where its Worker does not tell. */
      sleep: z
        .object({
          /** Idle seconds after which it sleeps; null: it never does. */
          after_seconds: z.number().nullable(),
          /** Until it has been idle for so long; null while it sleeps. */
          remaining_seconds: z.number().nullable(),
          /** What keeps it awake although it is idle. */
          kept_awake: z.object({ reason: z.enum(awakeReasons), details: z.string() }).nullable(),
          /** When its gateway's next scheduled job is due, and when it is woken for that. */
          next_job_at: instant.nullable(),
          wakes_at: instant.nullable(),
        })
        .nullable(),
    })
    .nullable(),
  /** The service's latest look. */
  latest: z.object({ at: instant, ...flags, latency_ms: z.number() }).nullable(),
  /** The last 24 hours by five minutes, oldest first. */
  history: z.array(
    z.object({
      at: instant,
      samples: z.number().int(),
      /** In how many of them each probe succeeded. */
      started: z.number().int(),
      ready: z.number().int(),
      alive: z.number().int(),
      mean_latency_ms: z.number(),
      max_latency_ms: z.number(),
    }),
  ),
  /** Those that last, newest first: 20 at most. */
  incidents: z.array(incident),
});
export type InstanceHealth = z.infer<typeof instanceHealth>;
