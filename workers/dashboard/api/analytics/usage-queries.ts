/** Queries on the analytics dataset (`docs/reference/metrics.md`). */
import * as z from "zod";
import { type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import type { Environment } from "#domain/environment.ts";
import type { Usage } from "#workers/contracts/api/analytics.ts";
import { type AnalyticsSql, sqlNumber, sqlText, sqlTime } from "#workers/shared/analytics-sql.ts";

/** Maximum tenants of a query, because of its maximum length. */
const TENANTS_A_QUERY = 50;
/** More than the tenants of any account. */
const MOST_ROWS = 50_000;

/** A tenant, with its creation: older usage of the slug belongs to an earlier client. */
export type NamedTenant = Readonly<{ slug: string; created_at: Date }>;

export interface UsagePeriod {
  environment: Environment;
  dataset: string;
  /** Length of the current period, and of the previous one. */
  days: number;
  /** End of the current period. */
  to: Date;
  /** `undefined`: all. */
  tenants: readonly NamedTenant[] | undefined;
}

export interface TenantUsage {
  slug: string;
  current: Usage;
  previous: Usage;
}

const DAY_MS = 86_400_000;

const unixSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
const sumOfMetric = (metric: UsageMetric, condition: string, name: string) =>
  `SUM(IF(blob1 = '${metric}'${condition}, _sample_interval * double1, 0.0)) AS ${name}`;

/** Condition for tenants, each from its creation on. */
function tenantCondition(tenants: readonly NamedTenant[], from: Date): string {
  const all = tenants.filter(({ created_at }) => created_at <= from).map(({ slug }) => sqlText(slug));
  const younger = tenants
    .filter(({ created_at }) => created_at > from)
    .map(({ slug, created_at }) => `index1 = ${sqlText(slug)} AND timestamp >= toDateTime(${unixSeconds(created_at)})`);
  return [...(all.length === 0 ? [] : [`index1 IN (${all.join(", ")})`]), ...younger].join(" OR ");
}

function usageSource(
  { dataset, environment, to }: UsagePeriod,
  from: Date,
  tenants: readonly NamedTenant[] | undefined,
): string {
  const whose = tenants === undefined ? "" : ` AND (${tenantCondition(tenants, from)})`;
  return `FROM ${dataset} WHERE timestamp > toDateTime(${unixSeconds(from)}) AND timestamp <= toDateTime(${unixSeconds(to)})
    AND blob3 = ${sqlText(environment)}${whose}`;
}

/** Runs a query, or one per batch of tenants, and joins the results. */
async function inBatches<T>(
  tenants: readonly NamedTenant[] | undefined,
  ask: (part: readonly NamedTenant[] | undefined) => Promise<T[]>,
): Promise<T[]> {
  if (tenants === undefined) return ask(undefined);
  const answers: T[] = [];
  for (let at = 0; at < tenants.length; at += TENANTS_A_QUERY)
    answers.push(...(await ask(tenants.slice(at, at + TENANTS_A_QUERY))));
  return answers;
}

function usageOf(row: Record<string, unknown>, suffix: string): Usage {
  const values = usageMetrics.map((metric) => [metric, sqlNumber.parse(row[`${metric}${suffix}`])]);
  return Object.fromEntries(values) as Usage;
}

const anyRow = z.record(z.string(), z.unknown());

/** Returns the usage of each tenant in the period and the previous one. */
export async function usageByTenant(analytics: AnalyticsSql, period: UsagePeriod): Promise<TenantUsage[]> {
  const middle = new Date(period.to.getTime() - period.days * DAY_MS);
  const from = new Date(middle.getTime() - period.days * DAY_MS);
  const columns = usageMetrics.flatMap((metric) => [
    sumOfMetric(metric, ` AND timestamp > toDateTime(${unixSeconds(middle)})`, `${metric}_current`),
    sumOfMetric(metric, ` AND timestamp <= toDateTime(${unixSeconds(middle)})`, `${metric}_previous`),
  ]);
  const rows = await inBatches(period.tenants, (tenants) =>
    analytics.query(
      `SELECT index1 AS tenant, ${columns.join(", ")} ${usageSource(period, from, tenants)} GROUP BY tenant LIMIT ${MOST_ROWS}`,
      anyRow,
    ),
  );
  return rows.map((row) => ({
    slug: z.string().parse(row.tenant),
    current: usageOf(row, "_current"),
    previous: usageOf(row, "_previous"),
  }));
}

/**
 * Returns the usage of each tenant without that of earlier clients with the same slug.
 *
 * @param reused tenants whose slugs had earlier clients
 */
export async function ownUsageByTenant(
  analytics: AnalyticsSql,
  period: UsagePeriod,
  bySlug: readonly TenantUsage[],
  reused: readonly NamedTenant[],
): Promise<TenantUsage[]> {
  const from = new Date(period.to.getTime() - 2 * period.days * DAY_MS);
  const young = reused.filter(({ created_at }) => created_at > from);
  if (young.length === 0) return [...bySlug];
  const asked = new Set(young.map(({ slug }) => slug));
  const own = await usageByTenant(analytics, { ...period, tenants: young });
  return [...bySlug.filter(({ slug }) => !asked.has(slug)), ...own];
}

/** Returns the total usage by day. */
export async function usageByDay(
  analytics: AnalyticsSql,
  period: UsagePeriod,
): Promise<{ day: string; usage: Usage }[]> {
  const from = new Date(period.to.getTime() - period.days * DAY_MS);
  const columns = usageMetrics.map((metric) => sumOfMetric(metric, "", metric));
  const rows = await inBatches(period.tenants, (tenants) =>
    analytics.query(
      `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${columns.join(", ")} ${usageSource(period, from, tenants)}
       GROUP BY day ORDER BY day`,
      anyRow,
    ),
  );
  const days = new Map<string, Usage>();
  for (const row of rows) {
    const day = sqlTime.parse(row.day).toISOString().slice(0, 10);
    days.set(day, addUsage(days.get(day), usageOf(row, "")));
  }
  return [...days].map(([day, usage]) => ({ day, usage })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

export function addUsage(one: Usage | undefined, other: Usage): Usage {
  const sums = usageMetrics.map((metric) => [metric, (one?.[metric] ?? 0) + other[metric]]);
  return Object.fromEntries(sums) as Usage;
}
