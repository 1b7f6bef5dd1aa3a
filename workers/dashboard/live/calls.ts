/** Requests of the dashboard Worker to its Durable Object of live events. */
import type { DurableObjectNamespace, DurableObjectStub } from "@cloudflare/workers-types";
import * as z from "zod";

/** Opens a WebSocket for the user in the header `x-listen`. */
export const CONNECT_PATH = "/connect";
/** Sends new events to every listener. */
export const WAKE_PATH = "/wake";

export const listenOrder = z.object({
  email: z.string(),
  /** Tenant where the user logged in; null for a user of the dashboard. */
  slug: z.string().nullable(),
  /** Client ID of the service token that acts for the user of a tenant; null for the user. */
  serviceToken: z.string().nullable(),
  /** Whether a platform root views the tenant. */
  isViewer: z.boolean(),
  callerId: z.uuid(),
  /** ID of the last received event; null for a new listener. */
  after: z.int().nonnegative().nullable(),
});
export type ListenOrder = z.infer<typeof listenOrder>;

export const LIVE_NAME = "live";

export const liveOf = (namespace: DurableObjectNamespace): DurableObjectStub =>
  namespace.get(namespace.idFromName(LIVE_NAME));
