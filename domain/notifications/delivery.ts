/** A notification for one ADMIN by one channel: the API, the queries and the console derive from this schema. */
import * as z from "zod";
import { instant } from "../entities/entity.ts";

export const notificationDelivery = z.object({
  id: z.uuid(),
  /** Such as `not_running`; `test` for a test. */
  kind: z.string(),
  /** One sentence about what happened. */
  subject: z.string(),
  occurred_at: instant,
  channel: z.enum(["mail", "webhook"]),
  /** Address of the ADMIN. */
  email: z.string(),
  /** `waiting`: for the next digest. `dropped`: it was not wanted any more. */
  state: z.enum(["waiting", "queued", "sent", "failed", "dropped"]),
  attempts: z.int(),
  /** What the mail server or the webhook answered last; null before. */
  answer: z.string().nullable(),
  created_at: instant,
  ended_at: instant.nullable(),
});
