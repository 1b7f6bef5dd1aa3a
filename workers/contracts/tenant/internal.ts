/**
 * Calls the dispatch Worker makes to a tenant Worker on its own account. It refuses the whole of
 * {@link INTERNAL_PATH_PREFIX} to anyone outside.
 */
import * as z from "zod";

export const INTERNAL_PATH_PREFIX = "/api/internal";

/** `POST`ed once a minute to each active tenant, with a {@link tick} as its body. Any 2xx acknowledges. */
export const TICK_PATH = `${INTERNAL_PATH_PREFIX}/tick`;

/**
 * `POST`ed before a tenant's container is replaced or removed, which ends its disk. 200 with the manifest of a backup begun since;
 * 204 when there is no state to back up; otherwise an error of the one family, 409 when the state may not be backed up.
 */
export const BACKUP_PATH = `${INTERNAL_PATH_PREFIX}/backup`;

/**
 * `POST`ed with a {@link cutOrder} when the platform forgets what it knew of a tenant (`/_invalidate`): ends every WebSocket, stream
 * and health listener of the tenant at once, so that each has to pass the dispatch Worker again. 204.
 */
export const CUT_PATH = `${INTERNAL_PATH_PREFIX}/cut`;

export const cutOrder = z.object({
  /** Whether the tenant passes the routing gate. If not, nothing starts its gateway until a request of a user's does. */
  routable: z.boolean(),
});
export type CutOrder = z.infer<typeof cutOrder>;

/** How long a backup asked for at {@link BACKUP_PATH} may take, in milliseconds; the transfer alone may take ten minutes. */
export const BACKUP_TIMEOUT_MS = 12 * 60 * 1000;

/**
 * `POST`ed by the sandbox on its gateway's behalf: an OTLP export of metrics, in JSON as `/api/otel/v1/metrics` takes it, or in
 * protobuf. Only the sandbox itself gets here, so there is no token in the gateway's settings that it might send elsewhere.
 */
export const METRICS_PATH = `${INTERNAL_PATH_PREFIX}/metrics`;

export const tick = z.object({
  /** The minute this tick is for: ISO 8601 UTC. */
  scheduledTime: z.iso.datetime(),
});
export type Tick = z.infer<typeof tick>;
