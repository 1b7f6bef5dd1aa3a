import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import type { Outcome } from "./lanes.ts";
import type { Probe } from "./probe-results.ts";

export const PROBE_LABELS: Readonly<Record<Probe, string>> = {
  startup: "Startup",
  readiness: "Readiness",
  liveness: "Liveness",
};

export const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  all: "succeeded",
  some: "failed intermittently",
  no: "failed",
  none: "not probed",
};

const times = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
export const formatTime = (at: number): string => times.format(at);

export const formatShare = (share: number): string =>
  `${formatNumber(share === 1 ? 100 : Math.min(99.9, Math.round(share * 1_000) / 10))} %`;
