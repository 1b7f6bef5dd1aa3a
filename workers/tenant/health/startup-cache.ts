import type { ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import { startupProbe } from "./probes.ts";

/**
 * Caches a successful startup until readiness fails, the cache is cleared, or the Worker starts cold. An `unknown` readiness keeps it (spec:
 * "Degraded", "Dead"). Observations overlap, so one that began before the last failure or clearing is not cached.
 */
export class StartupCache {
  #succeeded = false;
  /** Milliseconds since the epoch. */
  #clearedAt = Number.NEGATIVE_INFINITY;

  clear(at: number = Date.now()): void {
    this.#succeeded = false;
    this.#clearedAt = Math.max(this.#clearedAt, at);
  }

  /** @param at when the observation began that the probes belong to */
  evaluate(at: Date, liveness: ProbeResult, readiness: ProbeResult, restore: KnownRestore): ProbeResult {
    if (readiness.status === "failure") this.clear(at.getTime());
    if (this.#succeeded) return { ok: true, status: "success", latencyMs: 0 };
    const fresh = startupProbe(liveness, readiness, restore);
    this.#succeeded = fresh.ok && at.getTime() > this.#clearedAt;
    return fresh;
  }
}
