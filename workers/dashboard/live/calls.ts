/** Calls of the dashboard Worker to its object of news. */
import type { DurableObjectNamespace, DurableObjectStub } from "@cloudflare/workers-types";
import * as z from "zod";

/** Opens a WebSocket, for whom the header `x-listen` tells. */
export const CONNECT_PATH = "/connect";
/** Has every listener told what is new. */
export const WAKE_PATH = "/wake";

export const listenOrder = z.object({
  email: z.string(),
  callerId: z.uuid(),
  /** The last id that was heard; null for whoever begins. */
  after: z.int().nonnegative().nullable(),
});
export type ListenOrder = z.infer<typeof listenOrder>;

export const LIVE_NAME = "live";

/** The one object of the environment. */
export function liveOf(namespace: DurableObjectNamespace): DurableObjectStub {
  return namespace.get(namespace.idFromName(LIVE_NAME));
}
