/** The minute's tick of the dispatch Worker: a heartbeat of the container for as long as it runs, and its backup. */

import { errorResponse } from "../contracts/errors.ts";
import type { HealthSnapshot } from "../contracts/health-snapshot.ts";
import { tick } from "../contracts/internal.ts";
import type { TenantEnv } from "./env.ts";

/** First blob of a heartbeat's data point; the second is the gateway's status, the index the tenant's slug. */
export const HEARTBEAT = "container_heartbeat";

/**
 * Answers a tick.
 *
 * @param observe looks passively, so that a tick neither starts a gateway nor keeps a container awake
 */
export async function answerTick(
  request: Request,
  env: TenantEnv,
  observe: () => Promise<HealthSnapshot>,
): Promise<Response> {
  const body = tick.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return errorResponse("invalid_request", "Send { scheduledTime } as JSON.");
  const { status } = await observe();
  if (status !== "stopped") {
    env.ANALYTICS.writeDataPoint({ indexes: [env.TENANT_SLUG], blobs: [HEARTBEAT, status], doubles: [1] });
  }
  return new Response(null, { status: 204 });
}
