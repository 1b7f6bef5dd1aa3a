/** Generates deterministic usage of the demo's tenants, with weekends and growth. */
import { createHash } from "node:crypto";
import type { UsageMetric } from "#domain/billing/usage-metric.ts";

const HOURS = [8, 11, 14, 17] as const;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** On a working day, of a tenant of size 1. */
const DAILY_USE: Readonly<Record<UsageMetric, number>> = {
  ai_queries: 160,
  ai_spend: 1_300_000,
  container_activity: 9_000,
  container_uptime: 21_000,
  object_storage_bandwidth: 210_000_000,
  websocket_sessions: 24,
};
const WEEKEND = 0.22;
/** Per day. */
const GROWTH = 1.009;

/** Other tenants have no usage. */
export const DEMO_SIZES: Readonly<Record<string, number>> = { acme: 1, hooli: 0.45, umbrella: 2.3, lab: 0.12 };

export interface DemoUse {
  metric: UsageMetric;
  quantity: number;
  at: number;
}

/** @param day start of the day in UTC, in milliseconds @param ago days before today */
export function demoUse(slug: string, day: number, ago: number): DemoUse[] {
  const size = DEMO_SIZES[slug] ?? 0;
  const weekday = new Date(day).getUTCDay();
  const rhythm = (weekday === 0 || weekday === 6 ? WEEKEND : 1) * GROWTH ** -ago;
  return HOURS.flatMap((hour) =>
    (Object.entries(DAILY_USE) as [UsageMetric, number][]).map(([metric, usual]) => ({
      metric,
      quantity: Math.round(
        (usual / HOURS.length) * size * rhythm * (0.6 + 0.8 * pseudoRandomShare(`${slug} ${day} ${hour} ${metric}`)),
      ),
      at: day + hour * HOUR_MS,
    })),
  ).filter(({ quantity }) => quantity > 0);
}

/** Returns the last complete days, oldest first, by their start in UTC. */
export function daysBefore(now: number, count: number): { day: number; ago: number }[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => ({ day: today - (count - index) * DAY_MS, ago: count - index }));
}

const pseudoRandomShare = (text: string) => createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
