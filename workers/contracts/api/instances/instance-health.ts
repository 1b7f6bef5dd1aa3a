/** How an instance is, by the API. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { incident } from "#domain/entities/incident.ts";
import { instance } from "#domain/entities/instance.ts";
import { awakeReasons } from "../../tenant/sandbox-status.ts";
import { channelConnection } from "../tenants/channel-connection.ts";

const flags = { startup_ok: z.boolean(), readiness_ok: z.boolean(), liveness_ok: z.boolean() };
const use = z.object({ used_bytes: z.number().nonnegative(), total_bytes: z.number().nonnegative() });

const state = instance.pick({ status: true, state_cause: true, state_deadline: true, generation: true });

export const instanceHealth = state.extend({
  /** By a passive probe just now. */
  gateway: z.object({
    /** `unknown`: the probe failed. */
    state: z.enum(["up", "down", "unknown"]),
    /** Phase that the probe reported; null without one. A starting gateway is not up. */
    phase: z.enum(["running", "starting", "stopped"]).nullable(),
    /** Why it is not up, or could not be probed. */
    reason: z.string().nullable(),
    probes: z.object({ ...flags, had_backup: z.boolean(), restored: z.boolean(), latency_ms: z.number() }).nullable(),
  }),
  /** Last heartbeat of its container. `at` is null if none is known, because of `reason`. */
  heartbeat: z.object({ at: instant.nullable(), reason: z.string().nullable() }),
  /** Null if the probe failed; a part is null if unknown. */
  sandbox: z
    .object({
      state: z.enum(["awake", "asleep", "ending", "unknown"]),
      disk: use.nullable(),
      memory: use.nullable(),
      warnings: z.array(z.string()),
      /** Null if its Worker does not report it. */
      sleep: z
        .object({
          /** Idle seconds after which it sleeps; null: never. */
          after_seconds: z.number().nullable(),
          /** Seconds until it sleeps; null while it sleeps. */
          remaining_seconds: z.number().nullable(),
          /** Whether it sleeps while socket channels are connected. */
          with_channels: z.boolean(),
          /** What keeps it awake while it is idle. */
          kept_awake: z.object({ reason: z.enum(awakeReasons), details: z.string() }).nullable(),
          /** When its gateway's next scheduled job is due, and when the container wakes for it. */
          next_job_at: instant.nullable(),
          wakes_at: instant.nullable(),
        })
        .nullable(),
      /** Its socket channels; null if its Worker does not report them. */
      channels: z.array(channelConnection).nullable(),
    })
    .nullable(),
  /** The automation service's latest probe. */
  latest: z.object({ at: instant, ...flags, latency_ms: z.number() }).nullable(),
  /** The last 24 hours in steps of five minutes, oldest first. */
  history: z.array(
    z.object({
      at: instant,
      samples: z.number().int(),
      /** How many samples succeeded, by probe. */
      started: z.number().int(),
      ready: z.number().int(),
      alive: z.number().int(),
      mean_latency_ms: z.number(),
      max_latency_ms: z.number(),
    }),
  ),
  /** Open incidents, newest first, at most 20. */
  incidents: z.array(incident),
});
export type InstanceHealth = z.infer<typeof instanceHealth>;
