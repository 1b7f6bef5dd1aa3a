import type { InstanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import type { Incident } from "#workers/contracts/api/tenants/incidents.ts";
import { type Probe, probes } from "./probe-results.ts";
import { PERIOD_MS } from "./state-duration.ts";

export const DAY_MS = 86_400_000;

type Period = InstanceHealth["history"][number];
/** `none`: no probes, as while the instance sleeps. */
export type Outcome = "all" | "some" | "no" | "none";
type Outcomes = Readonly<Record<Probe, Outcome>>;

/** A time in which all probes had the same outcome, in milliseconds since the epoch. */
export interface TimeSpan {
  from: number;
  until: number;
  outcomes: Outcomes;
}

const UNSEEN: Outcomes = { startup: "none", readiness: "none", liveness: "none" };

/** Covers the last 24 hours without gaps. @param now in milliseconds */
export function timeSpans(history: readonly Period[], now: number): TimeSpan[] {
  const begin = now - DAY_MS;
  const all: TimeSpan[] = [];
  const add = (from: number, until: number, outcomes: Outcomes) => {
    const [start, end] = [Math.max(from, begin), Math.min(until, now)];
    if (end <= start) return;
    const last = all.at(-1);
    if (last !== undefined && probes.every((probe) => last.outcomes[probe] === outcomes[probe])) last.until = end;
    else all.push({ from: start, until: end, outcomes });
  };
  let at = begin;
  for (const period of history) {
    const from = Date.parse(period.at);
    add(at, from, UNSEEN);
    add(from, from + PERIOD_MS, outcomesOf(period));
    at = Math.max(at, from + PERIOD_MS);
  }
  add(at, now, UNSEEN);
  return all;
}

function outcomesOf({ samples, started, ready, alive }: Period): Outcomes {
  const of = (good: number): Outcome => (good === samples ? "all" : good === 0 ? "no" : "some");
  return { startup: of(started), readiness: of(ready), liveness: of(alive) };
}

/** Outcomes of one probe, with equal neighbours merged. */
export function laneOf(all: readonly TimeSpan[], probe: Probe): { from: number; until: number; outcome: Outcome }[] {
  const joined: { from: number; until: number; outcome: Outcome }[] = [];
  for (const { from, until, outcomes } of all) {
    const last = joined.at(-1);
    if (last?.outcome === outcomes[probe]) last.until = until;
    else joined.push({ from, until, outcome: outcomes[probe] });
  }
  return joined;
}

/** Share of successful probes, 0 to 1; undefined without samples. */
export function sharesOf(history: readonly Period[]): Readonly<Record<Probe, number>> | undefined {
  const sum = (of: (period: Period) => number) => history.reduce((total, period) => total + of(period), 0);
  const samples = sum((period) => period.samples);
  if (samples === 0) return undefined;
  return {
    startup: sum(({ started }) => started) / samples,
    readiness: sum(({ ready }) => ready) / samples,
    liveness: sum(({ alive }) => alive) / samples,
  };
}

/** Latency of probes in milliseconds; 0 without samples. */
export function latencyOf(history: readonly Period[]): { mean: number; max: number } {
  const samples = history.reduce((sum, period) => sum + period.samples, 0);
  const total = history.reduce((sum, { mean_latency_ms, samples: count }) => sum + mean_latency_ms * count, 0);
  return {
    mean: samples === 0 ? 0 : total / samples,
    max: history.reduce((most, { max_latency_ms }) => Math.max(most, max_latency_ms), 0),
  };
}

const STEPS_HOURS = [1, 2, 3, 6, 12];

/** Full hours in the viewer's time zone, in milliseconds since the epoch. @param now in milliseconds @param most maximum number of ticks */
export function hourTicks(now: number, most: number): number[] {
  const step = STEPS_HOURS.find((hours) => 24 / hours <= most) ?? 24;
  const at = new Date(now - DAY_MS);
  at.setMinutes(0, 0, 0);
  at.setHours(Math.ceil((at.getHours() + 1) / step) * step);
  const ticks: number[] = [];
  // By local time, because a day may have 23 or 25 hours.
  for (; at.getTime() <= now; at.setHours(at.getHours() + step)) ticks.push(at.getTime());
  return ticks;
}

export interface IncidentSpan {
  from: number;
  until: number;
  incident: Incident;
}

/** Incidents of the last 24 hours, clipped to them, oldest first. @param now in milliseconds */
export const incidentSpans = (incidents: readonly Incident[], now: number): IncidentSpan[] =>
  incidents
    .map((incident) => ({
      from: Math.max(Date.parse(incident.opened_at), now - DAY_MS),
      until: incident.closed_at === null ? now : Date.parse(incident.closed_at),
      incident,
    }))
    .filter(({ from, until }) => until > from)
    .toSorted((one, other) => one.from - other.from);
