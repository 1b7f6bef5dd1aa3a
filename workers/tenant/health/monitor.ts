/** Checks the health of the tenant: observes its sandbox, has others act on the observation, and makes the snapshot. */

import { within } from "@tenantry/std/within";
import { type HealthSnapshot, PASSIVE_PROBE_TIMEOUT_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { HealthCheck, Mode } from "./check.ts";
import { ACTIVE_PROBE_TIMEOUT_MS, type Observation, observe } from "./observation.ts";
import { healthSnapshot } from "./snapshot.ts";
import type { StartupCache } from "./startup-cache.ts";

export interface HealthMonitorOptions {
  sandbox: SandboxPort;
  startup: StartupCache;
  /** Restores nothing and wakes nothing. */
  restoreStatus: () => Promise<KnownRestore>;
  gateway: {
    readonly isRestarting: boolean;
    /** Starts the gateway if need be. @returns the observation, with the start */
    ensure(observation: Observation): Promise<Observation>;
  };
  sandboxReactions: {
    /** An activating check begins. */
    activated(): Promise<void>;
    /** The sandbox was observed, before the gateway is started and traffic passes. */
    observed(observation: Observation): Promise<void>;
  };
  gatewayReactions: {
    /** The snapshot was made. */
    evaluated(observation: Observation, snapshot: HealthSnapshot): Promise<void>;
  };
}

export class HealthMonitor {
  readonly #o: HealthMonitorOptions;

  constructor(options: HealthMonitorOptions) {
    this.#o = options;
  }

  async check(mode: Mode): Promise<HealthCheck> {
    const { sandbox, startup, gateway, sandboxReactions, gatewayReactions } = this.#o;
    if (mode === "active") await sandboxReactions.activated();
    const wasRestarting = gateway.isRestarting;
    const timeoutMs = mode === "passive" ? PASSIVE_PROBE_TIMEOUT_MS : ACTIVE_PROBE_TIMEOUT_MS;
    const restoring = within(timeoutMs, this.#o.restoreStatus());
    const observed = await observe(sandbox, timeoutMs);
    await sandboxReactions.observed(observed);
    const ensured = mode === "active" ? await gateway.ensure(observed) : observed;
    const observation = { ...ensured, restarting: wasRestarting || gateway.isRestarting };
    const snapshot = healthSnapshot(observation, startup, await restoring);
    await gatewayReactions.evaluated(observation, snapshot);
    const { activity, resources } = observed.processes.ok ? observed.processes.value : {};
    return { snapshot, ...(activity && { activity }), ...(resources && { resources }) };
  }
}
