/** The order to put a tenant to sleep now, which the idle time otherwise does. */
import * as z from "zod";

/** `POST` with a {@link sleepOrder} or no body. 200 with a {@link sleepAnswered} once the tenant sleeps; 409 if it must stay awake. */
export const SLEEP_PATH = "/api/admin/gateway/sleep";

/** 30 days. */
const MAX_WAKE_SECONDS = 30 * 24 * 60 * 60;
export const wakeAfterSeconds = z.int().min(1).max(MAX_WAKE_SECONDS);

export const sleepOrder = z.strictObject({
  /** Wakes the tenant as for a scheduled job. Default: only its gateway's own jobs and requests wake it. */
  wakeAfterSeconds: wakeAfterSeconds.optional(),
});
export type SleepOrder = z.infer<typeof sleepOrder>;

export const sleepAnswered = z.object({
  asleep: z.literal(true),
  /** When it wakes for a job or by this order: ISO 8601 UTC. */
  wakesAt: z.iso.datetime().optional(),
});
export type SleepAnswered = z.infer<typeof sleepAnswered>;
