/** Result of an attempt to deliver a message. */
import type { StoredFailure } from "./rows.ts";

/** `unreachable`: no gateway took the message, because it starts, restarts or sleeps. */
export type Outcome =
  | { outcome: "accepted" }
  | { outcome: "unreachable" }
  | { outcome: "failed"; failure: StoredFailure; maxAttempts: number; retryAfterMs: number };
