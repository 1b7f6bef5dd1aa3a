/**
 * Usage of one day out of the analytics dataset (`docs/metrics.md`): the statement that asks for it, and what its rows mean. Points
 * lie under the time at which they were written, so that a day is asked for again while late ones may come.
 */

import type { Environment } from "../environment.ts";
import { nextDay } from "./billing-month.ts";
import { type DayUsage, type UsageMetric, usageMetrics } from "./usage-metric.ts";

/** Which points are asked for. */
export interface RollupScope {
  /** Name of the dataset: letters, digits and underscores. */
  readonly dataset: string;
  readonly environment: Environment;
  /** Day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * The SQL of one day, of all tenants of an environment (vendor: "Workers Analytics Engine SQL API"). A row stands for
 * `_sample_interval` points.
 *
 * @throws RangeError when day or dataset are none
 */
export function rollupSql({ dataset, environment, day }: RollupScope): string {
  if (!/^\w+$/.test(dataset)) throw new RangeError(`${dataset} is no name of a dataset`);
  const metrics = usageMetrics.map((metric) => `'${metric}'`).join(", ");
  return [
    "SELECT index1 AS tenant, blob1 AS metric, SUM(_sample_interval * double1) AS quantity",
    `FROM ${dataset}`,
    `WHERE timestamp >= toDateTime('${day} 00:00:00') AND timestamp < toDateTime('${nextDay(day)} 00:00:00')`,
    `AND blob3 = '${environment}' AND blob1 IN (${metrics})`,
    "GROUP BY tenant, metric",
    "ORDER BY tenant, metric",
    "FORMAT JSON",
  ].join("\n");
}

/** A row of the answer to {@link rollupSql}. */
export interface UsageRow {
  /** Slug. */
  readonly tenant: string;
  readonly metric: UsageMetric;
  /** In the metric's unit; never negative, and not always whole. */
  readonly quantity: number;
}

/** A day's usage as the database stores it. */
export interface Rollup {
  readonly day: string;
  /** By client. */
  readonly usage: readonly (DayUsage & { readonly clientId: string })[];
  /** Slugs that no client of the environment has: removed since, or never one. Somebody has to look. */
  readonly unknown: readonly string[];
}

/**
 * What the answer to {@link rollupSql} says of the clients. Quantities are rounded to whole units once a day, a half upwards.
 *
 * @param clients ids of the environment's clients by slug
 */
export function rollUp(day: string, rows: readonly UsageRow[], clients: ReadonlyMap<string, string>): Rollup {
  const unknown = new Set<string>();
  const usage = rows.flatMap(({ tenant, metric, quantity }) => {
    const clientId = clients.get(tenant);
    if (clientId === undefined) unknown.add(tenant);
    return clientId === undefined ? [] : [{ clientId, day, metric, quantity: BigInt(Math.round(quantity)) }];
  });
  return { day, usage, unknown: [...unknown].toSorted() };
}
