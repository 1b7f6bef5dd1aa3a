/** Observes a sandbox: lists its processes and calls the gateway's health path, at the same time. */
import { GATEWAY_HEALTH_PATH, GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ProcessList } from "#workers/contracts/tenant/sandbox.ts";
import { PortClosed, type SandboxPort } from "../sandbox/port.ts";

/** Time limit of an observation for an active check, in milliseconds. */
export const ACTIVE_PROBE_TIMEOUT_MS = 10_000;

/** Result of a call, with its duration. */
export type Measured<T> = { ok: true; value: T; latencyMs: number } | { ok: false; error: string; latencyMs: number };

export interface Observation {
  /** When the observation began. */
  at: Date;
  processes: Measured<ProcessList>;
  /** Response of the gateway's health path. */
  health: Measured<{ status: number; body: string }>;
  /** Whether a restart is in progress, so that a gateway that responds is about to end. */
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

/** @param timeoutMs time limit of each call, including its body */
export async function observe(sandbox: SandboxPort, timeoutMs: number): Promise<Observation> {
  const at = new Date();
  const signal = AbortSignal.timeout(timeoutMs);
  // The gateway is called first, so that it responds while the processes are listed.
  const [health, processes] = await Promise.all([
    measure(
      () => sandbox.probe(GATEWAY_PORT, GATEWAY_HEALTH_PATH, signal),
      (error) => {
        if (error instanceof PortClosed) return "the gateway does not listen on its port";
        return signal.aborted
          ? `the gateway did not respond within ${timeoutMs} ms`
          : "the gateway closed the connection before it responded";
      },
    ),
    measure(
      () => sandbox.listProcesses(signal),
      () => (signal.aborted ? `the sandbox did not respond within ${timeoutMs} ms` : "the sandbox cannot be reached"),
    ),
  ]);
  return { at, processes, health };
}
