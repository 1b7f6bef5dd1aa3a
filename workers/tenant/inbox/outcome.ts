/** Result of an attempt to deliver a message. */
import type { StoredFailure } from "./rows.ts";

/** `unreachable`: no gateway took the message, because it starts, restarts or sleeps. `isBroken`: the connection was lost instead. */
export type Outcome =
  | { outcome: "accepted" }
  | { outcome: "unreachable"; isBroken?: true }
  | { outcome: "failed"; failure: StoredFailure; maxAttempts: number; retryAfterMs: number };
