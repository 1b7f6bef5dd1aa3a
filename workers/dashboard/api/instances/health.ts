/** Health of an instance: stored results and a passive probe of its gateway. */
import type { Kysely } from "kysely";
import { healthPeriods, latestHealth } from "#database/health/history.ts";
import { listIncidents } from "#database/health/incidents.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { incident } from "#domain/entities/incident.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import type { ResourceUse } from "#workers/contracts/tenant/sandbox.ts";
import type { SandboxStatus, SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { Failure } from "../../http/failure.tsx";
import type { TenantOrders } from "../../tenants/tenant-orders.ts";
import { connectionsOf } from "../channels/connections.ts";

const MOST_INCIDENTS = 20;

/** Returns the stored results. */
export async function knownHealth(db: Kysely<DB>, { id, environment }: KnownInstance) {
  const [latest, history, incidents] = await Promise.all([
    latestHealth(db, id),
    healthPeriods(db, id),
    listIncidents(db, environment, { limit: MOST_INCIDENTS, open: true, instanceId: id }),
  ]);
  return {
    latest: latest
      ? {
          at: latest.at.toISOString(),
          startup_ok: latest.startupOk,
          readiness_ok: latest.readinessOk,
          liveness_ok: latest.livenessOk,
          latency_ms: latest.latencyMs,
        }
      : null,
    history: history.map(({ at, samples, started, ready, alive, meanLatencyMs, maxLatencyMs }) => ({
      at: at.toISOString(),
      samples,
      started,
      ready,
      alive,
      mean_latency_ms: meanLatencyMs,
      max_latency_ms: maxLatencyMs,
    })),
    incidents: incidents.map((row) => bodyOf(incident, row)),
  };
}

const UNREACHABLE =
  "The platform cannot reach the agent at the moment. Try again in a few minutes. If that does not help, ask your operator.";

/** Probes the gateway. Never rejects; a failed probe is a result. @param isForTenant whether to leave out reasons that only operators understand */
export async function probeInstance(
  orders: TenantOrders,
  instance: KnownInstance,
  isForTenant: boolean,
): Promise<Pick<InstanceHealth, "gateway" | "sandbox">> {
  const { status, client } = instance;
  if (status === "frozen" || status === "stopped") {
    return { gateway: notProbed("down", `The instance is ${status}; its gateway is not probed.`), sandbox: null };
  }
  const [health, sandbox] = await Promise.allSettled([orders.health(client.slug), orders.status(client.slug)]);
  return {
    gateway:
      health.status === "fulfilled"
        ? probedGateway(health.value)
        : notProbed("unknown", isForTenant ? UNREACHABLE : reason(health.reason)),
    sandbox: sandbox.status === "fulfilled" ? sandboxBody(sandbox.value) : null,
  };
}

type Gateway = InstanceHealth["gateway"];

const notProbed = (state: Gateway["state"], why: string): Gateway => ({
  state,
  phase: null,
  reason: why,
  probes: null,
});

function probedGateway({ status, startup, readiness, liveness, restoreStatus }: HealthSnapshot): Gateway {
  return {
    state: status === "running" ? "up" : "down",
    phase: status,
    reason: readiness.error ?? liveness.error ?? startup.error ?? null,
    probes: {
      startup_ok: startup.ok,
      readiness_ok: readiness.ok,
      liveness_ok: liveness.ok,
      had_backup: restoreStatus.hadBackup,
      restored: restoreStatus.restored,
      // Liveness and readiness are probed side by side, and startup reuses them.
      latency_ms: Math.max(startup.latencyMs, readiness.latencyMs, liveness.latencyMs),
    },
  };
}

const use = (resource: ResourceUse | undefined) =>
  resource === undefined ? null : { used_bytes: resource.usedBytes, total_bytes: resource.totalBytes };

function sandboxBody(status: SandboxStatus): InstanceHealth["sandbox"] {
  const { sandbox, disk, memory, warnings, sleep } = status;
  return {
    state: sandbox,
    disk: use(disk),
    memory: use(memory),
    warnings: warnings.map(({ message }) => message),
    sleep: sleep === undefined ? null : sleepBody(sleep),
    channels: connectionsOf(status),
  };
}

function sleepBody({
  afterSeconds,
  withChannels = false,
  remainingSeconds,
  keptAwake,
  nextJobAt,
  wakesAt,
}: SleepStatus) {
  return {
    after_seconds: afterSeconds ?? null,
    with_channels: withChannels,
    remaining_seconds: remainingSeconds ?? null,
    kept_awake: keptAwake ?? null,
    next_job_at: nextJobAt ?? null,
    wakes_at: wakesAt ?? null,
  };
}

const reason = (error: unknown) => (error instanceof Failure ? error.message : "The probe failed.");
