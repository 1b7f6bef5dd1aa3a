/** What is asked of the analytics dataset (`docs/metrics.md`): sums of whole periods, never points. */
import * as z from "zod";
import { type UsageMetric, usageMetrics } from "#domain/billing/usage-metric.ts";
import type { Environment } from "#domain/environment.ts";
import type { Usage } from "#workers/contracts/api/analytics.ts";
import { type AnalyticsSql, sqlNumber, sqlText, sqlTime } from "#workers/shared/analytics-sql.ts";

/** Tenants that one query names: it stays within what a query may be long. */
const TENANTS_A_QUERY = 50;
/** More tenants than any account can have. */
const MOST_ROWS = 50_000;

/** A tenant, and since when its slug is its own: what is older is of another client that had it before. */
export type NamedTenant = Readonly<{ slug: string; created_at: Date }>;

export interface UsagePeriod {
  environment: Environment;
  dataset: string;
  /** Of the current period; the one before it is as long. */
  days: number;
  /** End of the current period. */
  to: Date;
  /** Tenants to look at; undefined for all. */
  tenants: readonly NamedTenant[] | undefined;
}

export interface TenantUsage {
  slug: string;
  current: Usage;
  previous: Usage;
}

const DAY_MS = 86_400_000;

const unix = (at: Date) => Math.floor(at.getTime() / 1000);
/** A metric's sum over the points that `condition` takes, as `name`. */
const sum = (metric: UsageMetric, condition: string, name: string) =>
  `SUM(IF(blob1 = '${metric}'${condition}, _sample_interval * double1, 0.0)) AS ${name}`;

/** Of these tenants, from when each was made. */
function named(tenants: readonly NamedTenant[], from: Date): string {
  const all = tenants.filter(({ created_at }) => created_at <= from).map(({ slug }) => sqlText(slug));
  const younger = tenants
    .filter(({ created_at }) => created_at > from)
    .map(({ slug, created_at }) => `index1 = ${sqlText(slug)} AND timestamp >= toDateTime(${unix(created_at)})`);
  return [...(all.length === 0 ? [] : [`index1 IN (${all.join(", ")})`]), ...younger].join(" OR ");
}

function source(
  { dataset, environment, to }: UsagePeriod,
  from: Date,
  tenants: readonly NamedTenant[] | undefined,
): string {
  const whose = tenants === undefined ? "" : ` AND (${named(tenants, from)})`;
  return `FROM ${dataset} WHERE timestamp > toDateTime(${unix(from)}) AND timestamp <= toDateTime(${unix(to)})
    AND blob3 = ${sqlText(environment)}${whose}`;
}

/** The queries' answers together: one, or one a part of the named tenants. */
async function inParts<T>(
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

/** What each tenant used in the period and in the one before. */
export async function usageByTenant(analytics: AnalyticsSql, period: UsagePeriod): Promise<TenantUsage[]> {
  const middle = new Date(period.to.getTime() - period.days * DAY_MS);
  const from = new Date(middle.getTime() - period.days * DAY_MS);
  const columns = usageMetrics.flatMap((metric) => [
    sum(metric, ` AND timestamp > toDateTime(${unix(middle)})`, `${metric}_current`),
    sum(metric, ` AND timestamp <= toDateTime(${unix(middle)})`, `${metric}_previous`),
  ]);
  const rows = await inParts(period.tenants, (tenants) =>
    analytics.query(
      `SELECT index1 AS tenant, ${columns.join(", ")} ${source(period, from, tenants)} GROUP BY tenant LIMIT ${MOST_ROWS}`,
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
 * What each tenant used, and never what another client used under the same slug before.
 *
 * @param reused those of the period's tenants whose slugs others had before; all tenants' together is asked for by slug alone
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

/** What all of them used together, day by day. */
export async function usageByDay(
  analytics: AnalyticsSql,
  period: UsagePeriod,
): Promise<{ day: string; usage: Usage }[]> {
  const from = new Date(period.to.getTime() - period.days * DAY_MS);
  const columns = usageMetrics.map((metric) => sum(metric, "", metric));
  const rows = await inParts(period.tenants, (tenants) =>
    analytics.query(
      `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${columns.join(", ")} ${source(period, from, tenants)}
       GROUP BY day ORDER BY day`,
      anyRow,
    ),
  );
  const days = new Map<string, Usage>();
  for (const row of rows) {
    const day = sqlTime.parse(row.day).toISOString().slice(0, 10);
    days.set(day, added(days.get(day), usageOf(row, "")));
  }
  return [...days].map(([day, usage]) => ({ day, usage })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/** The sum of two usages. */
export function added(one: Usage | undefined, other: Usage): Usage {
  const sums = usageMetrics.map((metric) => [metric, (one?.[metric] ?? 0) + other[metric]]);
  return Object.fromEntries(sums) as Usage;
}
