/** Since when a tenant is as it is, as far as that is known. */
import { useState } from "react";
import { type ProbeFlags, sameFlags } from "#domain/tenants/health-state.ts";
import type { InstanceHealth } from "#workers/contracts/api/tenants/instance-health.ts";

/** Of the history's periods, in milliseconds. */
export const PERIOD_MS = 300_000;

/**
 * Since when every look of the history, up to its end, found a gateway that lives and is not ready.
 *
 * @param now in milliseconds @returns milliseconds since the epoch; undefined where the latest looks found something else
 */
export function startingSince(history: InstanceHealth["history"], now: number): number | undefined {
  let since: number | undefined;
  let next = now;
  for (const { at, samples, ready, alive } of history.toReversed()) {
    const began = Date.parse(at);
    // Looks come each minute: a period without any was another time.
    if (ready > 0 || alive < samples || next - began > 2 * PERIOD_MS) break;
    // Its first look may have been its last moment.
    since = Math.min(began + PERIOD_MS, now);
    next = began;
  }
  return since;
}

/** For how many seconds the probes have told the same. @param now in milliseconds */
export function useSeconds(flags: ProbeFlags | undefined, history: InstanceHealth["history"], now: number): number {
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
