import { setTimeout as pause } from "node:timers/promises";
import { type DispatchWorker, tryStart } from "../../outside/dispatch-worker.ts";

const START_MS = 60_000;
const POLL_MS = 1_500;

/** Waits up to a minute until the gateway is ready. @returns `why` it is not, if known */
export async function startGateway(
  slug: string,
  dispatch: Pick<DispatchWorker, "start">,
  signal: AbortSignal,
): Promise<{ ready: boolean; why?: string | undefined }> {
  const end = performance.now() + START_MS;
  let why: string | undefined;
  while (performance.now() < end && !signal.aborted) {
    const health = await tryStart(dispatch, slug, signal);
    if (health?.startup.ok && health.readiness.ok) return { ready: true };
    why = health?.readiness.error ?? health?.startup.error ?? why;
    await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return { ready: false, why };
}
