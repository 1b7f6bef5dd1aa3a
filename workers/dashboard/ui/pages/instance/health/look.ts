/** One look at a tenant's gateway, whichever way it came. */
import type { ProbeFlags } from "#domain/tenants/health-state.ts";
import type { InstanceHealth } from "#workers/contracts/api/tenants/instance-health.ts";
import type { HealthSnapshot, ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";

export const probes = ["startup", "readiness", "liveness"] as const;
export type Probe = (typeof probes)[number];

export interface Look {
  flags: ProbeFlags;
  /** In milliseconds, by probe; null where they are known together alone. */
  latencies: Readonly<Record<Probe, number>> | null;
  /** Why a probe failed, by probe. */
  errors: Readonly<Partial<Record<Probe, string>>>;
  /** Whether there was a backup to restore, and whether it is. */
  hadBackup: boolean;
  restored: boolean;
  /** Which process was seen. */
  process: HealthSnapshot["processType"];
  /** ISO 8601. */
  at: string;
}

/** @param snapshot of the tenant's own stream */
export function streamedLook({ ts, restoreStatus, processType, ...told }: HealthSnapshot): Look {
  const each = <T>(of: (probe: ProbeResult) => T) =>
    ({ startup: of(told.startup), readiness: of(told.readiness), liveness: of(told.liveness) }) as const;
  const errors = Object.entries(each(({ error }) => error)).filter(([, error]) => error !== undefined);
  return {
    flags: each(({ ok }) => ok),
    latencies: each(({ latencyMs }) => latencyMs),
    errors: Object.fromEntries(errors),
    ...restoreStatus,
    process: processType,
    at: ts,
  };
}

/** @param at when it was read, in milliseconds @returns undefined where nobody could look */
export function polledLook({ probes: told, reason }: InstanceHealth["gateway"], at: number): Look | undefined {
  if (told === null) return undefined;
  const flags = { startup: told.startup_ok, readiness: told.readiness_ok, liveness: told.liveness_ok };
  // Of several reasons the API tells the one that stands nearest to traffic.
  const failed = probes.find((probe) => probe !== "startup" && !flags[probe]) ?? "startup";
  return {
    flags,
    latencies: null,
    errors: reason === null || flags[failed] ? {} : { [failed]: reason },
    hadBackup: told.had_backup,
    restored: told.restored,
    process: undefined,
    at: new Date(at).toISOString(),
  };
}
