import type { Answer, ApiCalls } from "./api-calls.ts";

export interface LimitCase {
  /** Value of the limit in the test. Default: Cloudflare's. */
  at?: number;
  /** `count`: calls from 1 to the value succeed. `size`: a call with the value succeeds. */
  kind: "count" | "size";
  prepare?: (api: ApiCalls) => Promise<unknown>;
  send: (api: ApiCalls, value: number, prepared: unknown) => Promise<Answer>;
}
