import { formatNumber } from "#workers/dashboard/ui/kit/format.ts";
import type { Outcome } from "./lanes.ts";
import type { Probe } from "./look.ts";

export const PROBE_NAMES: Readonly<Record<Probe, string>> = {
  startup: "Startup",
  readiness: "Readiness",
  liveness: "Liveness",
};

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  all: "succeeds",
  some: "fails at times",
  no: "fails",
  none: "not looked at",
};

const times = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "numeric", minute: "2-digit" });
/** In the viewer's zone. @param at in milliseconds */
export const formatTime = (at: number): string => times.format(at);

/** @param share 0 to 1 */
export const formatShare = (share: number): string =>
  // What failed once is not all.
  `${formatNumber(share === 1 ? 100 : Math.min(99.9, Math.round(share * 1_000) / 10))} %`;
