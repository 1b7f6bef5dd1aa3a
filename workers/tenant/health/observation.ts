/** Makes one observation of a sandbox: one process lookup and one call of the gateway's health path, at the same time. */
import { GATEWAY_HEALTH_PATH, GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import { PortClosed, type SandboxPort } from "../sandbox/port.ts";

/** How long an observation may take that an activating call needs, in milliseconds. */
export const ACTIVE_PROBE_TIMEOUT_MS = 10_000;

/** The result of a call or why it failed, and how long the call took, in milliseconds. */
export type Measured<T> = { ok: true; value: T; latencyMs: number } | { ok: false; error: string; latencyMs: number };

export interface Observation {
  /** When it was made. */
  at: Date;
  processes: Measured<ProcessList>;
  /** The gateway's answer to its health path. */
  health: Measured<{ status: number; body: string }>;
  /** Whether a restart is under way, so that what answers now is about to end. */
  restarting?: boolean;
}

async function measure<T>(work: () => Promise<T>, explain: (error: unknown) => string): Promise<Measured<T>> {
  const start = Date.now();
  try {
    const value = await work();
    return { ok: true, value, latencyMs: Date.now() - start };
  } catch (error) {
    return { ok: false, error: explain(error), latencyMs: Date.now() - start };
  }
}

/** @param timeoutMs how long each call may take, its body included */
export async function observe(sandbox: SandboxPort, timeoutMs: number): Promise<Observation> {
  const at = new Date();
  const signal = AbortSignal.timeout(timeoutMs);
  // The gateway is asked first, so that it answers while the processes are listed.
  const [health, processes] = await Promise.all([
    measure(
      () => sandbox.probe(GATEWAY_PORT, GATEWAY_HEALTH_PATH, signal),
      (error) => {
        if (error instanceof PortClosed) return "the gateway does not listen on its port";
        return signal.aborted
          ? `the gateway did not answer within ${timeoutMs} ms`
          : "the gateway broke off its answer";
      },
    ),
    measure(
      () => sandbox.listProcesses(signal),
      () => (signal.aborted ? `the sandbox did not answer within ${timeoutMs} ms` : "the sandbox cannot be reached"),
    ),
  ]);
  return { at, processes, health };
}
