/** How far each AI gateway's log has been read, stored in KV beside the tenants' entries. */
import type { KVNamespace } from "@cloudflare/workers-types";
import * as z from "zod";
import { aiQuery } from "#workers/contracts/tenant/metrics/ai-usage.ts";

const EXPIRATION_SECONDS = 7 * 24 * 3600;

const logPosition = z.object({
  v: z.literal(1),
  /** Entries that began earlier were delivered if they have ended; milliseconds since the epoch. */
  through: z.number(),
  /** When delivered entries that can appear again began, by id. */
  seen: z.record(z.string(), z.number()),
  owed: z.record(z.string(), z.array(aiQuery)),
});
export type LogPosition = Omit<z.infer<typeof logPosition>, "v">;

export interface LogPositions {
  read(gateway: string): Promise<LogPosition | undefined>;
  write(gateway: string, position: LogPosition): Promise<void>;
}

/** A stale position causes duplicate deliveries, which tenants ignore. */
export function logPositions(kv: KVNamespace, environment: string): LogPositions {
  const keyOf = (gateway: string) => `ai-gateway-log:${environment}:${gateway}`;
  return {
    read: async (gateway) => logPosition.safeParse(await kv.get(keyOf(gateway), "json")).data,
    write: (gateway, position) =>
      kv.put(keyOf(gateway), JSON.stringify({ v: 1, ...position }), { expirationTtl: EXPIRATION_SECONDS }),
  };
}
