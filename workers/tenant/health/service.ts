/** Makes health checks, and serves the health stream. */
import { withTimeout } from "@tenantry/std/within";
import { PASSIVE_PROBE_TIMEOUT_MS } from "#workers/contracts/tenant/health-snapshot.ts";
import type { KnownRestore } from "../backup/restore/status.ts";
import type { GatewayLifecycle } from "../gateway/process/lifecycle.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { HealthCheck, Mode } from "./check.ts";
import { ACTIVE_PROBE_TIMEOUT_MS, type Observation, observe } from "./observation.ts";
import { type ReactionParts, reactToObservation, reactToSnapshot } from "./reactions.ts";
import { healthSnapshot } from "./snapshot.ts";
import type { StartupCache } from "./startup-cache.ts";
import { HealthStream, type HealthStreamOptions } from "./stream.ts";

export interface HealthServiceOptions extends Pick<HealthStreamOptions, "ctx" | "onOpen"> {
  sandbox: SandboxPort;
  startup: StartupCache;
  restoreStatus: () => Promise<KnownRestore>;
  /** Starts the gateway if necessary. @returns the observation, updated by the start */
  ensureGateway: (observation: Observation) => Promise<Observation>;
  reactions: ReactionParts & { lifecycle: Pick<GatewayLifecycle, "isRestarting"> };
  /** Begins a backup when one is due, without waiting for it. */
  backUpIfDue: () => void;
}

export class HealthService {
  readonly stream: HealthStream;
  readonly #o: HealthServiceOptions;
  readonly #shared = new Map<Mode, Promise<HealthCheck>>();

  constructor(options: HealthServiceOptions) {
    this.#o = options;
    const { ctx, onOpen } = options;
    this.stream = new HealthStream({ ctx, onOpen, check: (mode) => this.sharedCheck(mode) });
  }

  /** Makes a check. An active check that finds the gateway running begins a backup when one is due. */
  async check(mode: Mode): Promise<HealthCheck> {
    const { sandbox, startup, restoreStatus, ensureGateway, reactions, backUpIfDue } = this.#o;
    const isActive = mode === "active";
    if (isActive) await reactions.sleep.recordCall();
    const wasRestarting = reactions.lifecycle.isRestarting;
    const timeoutMs = isActive ? ACTIVE_PROBE_TIMEOUT_MS : PASSIVE_PROBE_TIMEOUT_MS;
    const restoring = withTimeout(timeoutMs, restoreStatus());
    const observed = await observe(sandbox, timeoutMs);
    await reactToObservation(reactions, observed);
    const ensured = isActive ? await ensureGateway(observed) : observed;
    const observation = { ...ensured, restarting: wasRestarting || reactions.lifecycle.isRestarting };
    const snapshot = healthSnapshot(observation, startup, await restoring);
    await reactToSnapshot(reactions, observation, snapshot);
    if (isActive && snapshot.status === "running") backUpIfDue();
    const { activity, resources } = observed.processes.ok ? observed.processes.value : {};
    return { snapshot, ...(activity && { activity }), ...(resources && { resources }) };
  }

  /** As {@link check}. Concurrent callers share one check. */
  sharedCheck(mode: Mode): Promise<HealthCheck> {
    const shared = this.#shared.get(mode) ?? this.check(mode).finally(() => this.#shared.delete(mode));
    this.#shared.set(mode, shared);
    return shared;
  }
}
