/** A gateway's start, as jobs wait for it. */
import { setTimeout as pause } from "node:timers/promises";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { DispatchWorker } from "../../outside/dispatch-worker.ts";

/** How long a start is waited for, in milliseconds. */
const START_MS = 60_000;
const BETWEEN_LOOKS_MS = 1_500;

/** Has a tenant's gateway start, and waits until it is ready. @returns what was seen last: `why` it is not, where that is told */
export async function startGateway(
  slug: string,
  dispatch: Pick<DispatchWorker, "start">,
  signal: AbortSignal,
): Promise<{ ready: boolean; why?: string | undefined }> {
  const end = performance.now() + START_MS;
  let why: string | undefined;
  while (performance.now() < end && !signal.aborted) {
    const look = await dispatch.start(slug, signal).catch(() => undefined);
    const { data } = healthSnapshot.safeParse(look);
    if (data?.startup.ok && data.readiness.ok) return { ready: true };
    why = data?.readiness.error ?? data?.startup.error ?? why;
    await pause(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
  }
  return { ready: false, why };
}
