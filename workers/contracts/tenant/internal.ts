/** Requests of the dispatch Worker to a tenant Worker. The dispatch Worker rejects external requests to {@link INTERNAL_PATH_PREFIX}. */
import * as z from "zod";

export const INTERNAL_PATH_PREFIX = "/api/internal";

/** `POST` with a {@link tick}, once a minute for each active tenant. Any 2xx acknowledges it. */
export const TICK_PATH = `${INTERNAL_PATH_PREFIX}/tick`;

/**
 * `POST` before a tenant's container is replaced or deleted with its disk. 200 with the manifest of a backup that started after the request;
 * 204 without state; 409 if the state must not be backed up.
 */
export const BACKUP_PATH = `${INTERNAL_PATH_PREFIX}/backup`;

/**
 * `POST` with a {@link cutOrder} when the cache entry of a tenant is invalidated (`/_invalidate`): closes every WebSocket, stream and health
 * listener, so that each passes the dispatch Worker again. 204.
 */
export const CUT_PATH = `${INTERNAL_PATH_PREFIX}/cut`;

export const cutOrder = z.object({
  /** Whether the tenant passes the routing gate. If not, only a user's request or a later tick starts its gateway. */
  routable: z.boolean(),
});
export type CutOrder = z.infer<typeof cutOrder>;

/** Timeout of {@link BACKUP_PATH} in milliseconds; the transfer can take ten minutes. */
export const BACKUP_TIMEOUT_MS = 12 * 60 * 1000;

/**
 * `POST` by the sandbox for its gateway: an OTLP export of metrics, in JSON as for `/api/otel/v1/metrics`, or in protobuf. Only the sandbox
 * reaches it, so that the gateway needs no token that could leak.
 */
export const METRICS_PATH = `${INTERNAL_PATH_PREFIX}/metrics`;

export const tick = z.object({
  /** Minute of the tick: ISO 8601 UTC. */
  scheduledTime: z.iso.datetime(),
});
export type Tick = z.infer<typeof tick>;
