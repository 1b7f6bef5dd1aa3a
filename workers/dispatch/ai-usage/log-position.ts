/** How far a gateway's log has been read. */
import * as z from "zod";
import { aiQuery } from "#workers/contracts/tenant/ai-usage.ts";

export const logPosition = z.object({
  v: z.literal(1),
  /** What began before is handed on, as far as it has ended: milliseconds since the epoch. */
  through: z.number(),
  /** Entries that were handed on and may be met again: when each began, by its id. */
  seen: z.record(z.string(), z.number()),
  /** What tenants did not take, by their slugs. */
  owed: z.record(z.string(), z.array(aiQuery)),
});
export type LogPosition = Omit<z.infer<typeof logPosition>, "v">;

export interface PositionStore {
  read(gateway: string): Promise<LogPosition | undefined>;
  write(gateway: string, position: LogPosition): Promise<void>;
}
