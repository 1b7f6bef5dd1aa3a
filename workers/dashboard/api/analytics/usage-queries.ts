/** What is asked of the analytics dataset (`docs/metrics.md`): sums of whole periods, never points. */
import * as z from "zod";
import { type UsageMetric, usageMetrics } from "../../../../domain/billing/usage-metric.ts";
import type { Environment } from "../../../../domain/environment.ts";
import type { Usage } from "../../../contracts/api/analytics.ts";
import { type AnalyticsSql, sqlNumber, sqlText, sqlTime } from "../../../shared/analytics-sql.ts";

/** Slugs that one query names: it stays within what a query may be long. */
const SLUGS_A_QUERY = 100;
/** More tenants than any account can have. */
const MOST_ROWS = 50_000;

export interface UsagePeriod {
  environment: Environment;
  dataset: string;
  /** Of the current period; the one before it is as long. */
  days: number;
  /** End of the current period. */
  to: Date;
  /** Tenants to look at; undefined for all. */
  slugs: readonly string[] | undefined;
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

function source({ dataset, environment, to }: UsagePeriod, from: Date, slugs: readonly string[] | undefined): string {
  const named = slugs === undefined ? "" : ` AND index1 IN (${slugs.map(sqlText).join(", ")})`;
  return `FROM ${dataset} WHERE timestamp > toDateTime(${unix(from)}) AND timestamp <= toDateTime(${unix(to)})
    AND blob3 = ${sqlText(environment)}${named}`;
}

/** The queries' answers together: one, or one a part of the named tenants. */
async function inParts<T>(
  slugs: readonly string[] | undefined,
  ask: (part: readonly string[] | undefined) => Promise<T[]>,
): Promise<T[]> {
  if (slugs === undefined) return ask(undefined);
  const answers: T[] = [];
  for (let at = 0; at < slugs.length; at += SLUGS_A_QUERY)
    answers.push(...(await ask(slugs.slice(at, at + SLUGS_A_QUERY))));
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
  const rows = await inParts(period.slugs, (slugs) =>
    analytics.query(
      `SELECT index1 AS tenant, ${columns.join(", ")} ${source(period, from, slugs)} GROUP BY tenant LIMIT ${MOST_ROWS}`,
      anyRow,
    ),
  );
  return rows.map((row) => ({
    slug: z.string().parse(row.tenant),
    current: usageOf(row, "_current"),
    previous: usageOf(row, "_previous"),
  }));
}

/** What all of them used together, day by day. */
export async function usageByDay(
  analytics: AnalyticsSql,
  period: UsagePeriod,
): Promise<{ day: string; usage: Usage }[]> {
  const from = new Date(period.to.getTime() - period.days * DAY_MS);
  const columns = usageMetrics.map((metric) => sum(metric, "", metric));
  const rows = await inParts(period.slugs, (slugs) =>
    analytics.query(
      `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${columns.join(", ")} ${source(period, from, slugs)}
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
