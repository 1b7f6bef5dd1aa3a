import type { ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import { startupProbe } from "./probes.ts";

/**
 * Remembers a successful startup until readiness reports `failure`, it is cleared, or the Worker starts cold. A readiness that
 * is `unknown` says nothing against it: startup then stays ok while no traffic is admitted (spec: "Degraded", "Dead").
 * Looks overlap, so one that began before the last failure, or the last clearing, is not remembered.
 */
export class StartupCache {
  #succeeded = false;
  /** Only what is seen after this, in milliseconds since the epoch, is remembered. */
  #droppedAt = Number.NEGATIVE_INFINITY;

  /** @param at when, in milliseconds since the epoch */
  clear(at: number = Date.now()): void {
    this.#succeeded = false;
    this.#droppedAt = Math.max(this.#droppedAt, at);
  }

  /** @param at when the look began that the probes are of */
  evaluate(at: Date, liveness: ProbeResult, readiness: ProbeResult, restore: KnownRestore): ProbeResult {
    if (readiness.status === "failure") this.clear(at.getTime());
    if (this.#succeeded) return { ok: true, status: "success", latencyMs: 0 };
    const fresh = startupProbe(liveness, readiness, restore);
    this.#succeeded = fresh.ok && at.getTime() > this.#droppedAt;
    return fresh;
  }
}
