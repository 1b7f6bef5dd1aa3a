/** What the mock sees of a call. */
import type { Call } from "../call.ts";

export interface MockCall extends Pick<Call, "provider" | "method" | "endpoint" | "json" | "model" | "streams"> {
  /** Follows from the request. */
  id: string;
  /** Seconds since the epoch that answers are dated by: none has passed, so that they are the same. */
  seconds: number;
}
