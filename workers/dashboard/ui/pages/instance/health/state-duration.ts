import { useState } from "react";
import { type ProbeFlags, sameFlags } from "#domain/tenants/health-state.ts";
import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";

export const PERIOD_MS = 300_000;

/** Returns since when every probe found a live gateway that is not ready; undefined if the latest did not. In milliseconds. */
export function startingSince(history: InstanceHealth["history"], now: number): number | undefined {
  let since: number | undefined;
  let next = now;
  for (const { at, samples, ready, alive } of history.toReversed()) {
    const began = Date.parse(at);
    // Probes run every minute, so a gap ends the streak.
    if (ready > 0 || alive < samples || next - began > 2 * PERIOD_MS) break;
    // The first probe may be at the end of its period.
    since = Math.min(began + PERIOD_MS, now);
    next = began;
  }
  return since;
}

/** Seconds for which the probes have had the same results. @param now in milliseconds */
export function useStateSeconds(
  flags: ProbeFlags | undefined,
  history: InstanceHealth["history"],
  now: number,
): number {
  const [first, setFirst] = useState<{ flags: ProbeFlags; at: number }>();
  if (flags === undefined) return 0;
  if (first === undefined || !sameFlags(first.flags, flags)) {
    setFirst({ flags, at: now });
    return 0;
  }
  const isStarting = flags.liveness && !flags.readiness;
  const since = Math.min(first.at, (isStarting ? startingSince(history, now) : undefined) ?? now);
  return (now - since) / 1_000;
}
