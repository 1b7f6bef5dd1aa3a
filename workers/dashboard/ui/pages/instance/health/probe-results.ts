import type { ProbeFlags } from "#domain/tenants/health-state.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { HealthSnapshot, ProbeResult } from "#workers/contracts/tenant/health-snapshot.ts";

export const probes = ["startup", "readiness", "liveness"] as const;
export type Probe = (typeof probes)[number];

export interface ProbeResults {
  flags: ProbeFlags;
  /** In milliseconds; null if the API reports only a total. */
  latencies: Readonly<Record<Probe, number>> | null;
  errors: Readonly<Partial<Record<Probe, string>>>;
  hadBackup: boolean;
  restored: boolean;
  process: HealthSnapshot["processType"];
  at: string;
}

export function fromSnapshot({ ts, restoreStatus, processType, ...rest }: HealthSnapshot): ProbeResults {
  const each = <T>(of: (probe: ProbeResult) => T) =>
    ({ startup: of(rest.startup), readiness: of(rest.readiness), liveness: of(rest.liveness) }) as const;
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

export function fromApi({ probes: latest, reason }: InstanceHealth["gateway"], at: number): ProbeResults | undefined {
  if (latest === null) return undefined;
  const flags = { startup: latest.startup_ok, readiness: latest.readiness_ok, liveness: latest.liveness_ok };
  // The API reports the reason of the probe closest to traffic.
  const failed = probes.find((probe) => probe !== "startup" && !flags[probe]) ?? "startup";
  return {
    flags,
    latencies: null,
    errors: reason === null || flags[failed] ? {} : { [failed]: reason },
    hadBackup: latest.had_backup,
    restored: latest.restored,
    process: undefined,
    at: new Date(at).toISOString(),
  };
}
