/** The minute's tick of the dispatch Worker: what the container uses is measured, and its backup made when one is due. */

import { errorResponse } from "#workers/contracts/errors.ts";
import { tick } from "#workers/contracts/tenant/internal.ts";

/**
 * Answers a tick.
 *
 * @param observe looks passively and measures, so that a tick neither starts a gateway nor keeps a container awake; it is given
 *   the tick's minute, ISO 8601 UTC
 */
export async function answerTick(
  request: Request,
  observe: (scheduledTime: string) => Promise<unknown>,
): Promise<Response> {
  const body = tick.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return errorResponse("invalid_request", "Send { scheduledTime } as JSON.");
  await observe(body.data.scheduledTime);
  return new Response(null, { status: 204 });
}
