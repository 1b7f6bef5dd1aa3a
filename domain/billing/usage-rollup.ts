/**
 * Usage of one day out of the analytics dataset (`docs/reference/metrics.md`): the statement that asks for it, and what its rows mean. Points
 * lie under the time at which they were written, so that a day is asked for again while late ones may come.
 */

import type { Environment } from "../environment.ts";
import { dayOf, nextDay } from "./billing-month.ts";
import { type DayUsage, type UsageMetric, usageMetrics } from "./usage-metric.ts";

/** Which points are asked for. */
export interface RollupScope {
  /** Name of the dataset: letters, digits and underscores. */
  readonly dataset: string;
  readonly environment: Environment;
  /** Day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** By slug, when it became this client's in the course of the day: what is older is another's. Default: none did. */
  readonly since?: ReadonlyMap<string, Date>;
}

/**
 * The SQL of one day, of all tenants of an environment (vendor: "Workers Analytics Engine SQL API"). A row stands for
 * `_sample_interval` points.
 *
 * @throws RangeError when day or dataset are none
 */
export function rollupSql({ dataset, environment, day, since = new Map() }: RollupScope): string {
  if (!/^\w+$/.test(dataset)) throw new RangeError(`${dataset} is no name of a dataset`);
  const metrics = usageMetrics.map((metric) => `'${metric}'`).join(", ");
  return [
    "SELECT index1 AS tenant, blob1 AS metric, SUM(_sample_interval * double1) AS quantity",
    `FROM ${dataset}`,
    `WHERE timestamp >= toDateTime('${day} 00:00:00') AND timestamp < toDateTime('${nextDay(day)} 00:00:00')`,
    `AND blob3 = '${environment}' AND blob1 IN (${metrics})`,
    ...[...since].map(
      ([slug, at]) => `AND (index1 != '${slug}' OR timestamp >= toDateTime(${Math.floor(at.getTime() / 1000)}))`,
    ),
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
  /** Slugs that no client of the environment had then: removed since, or never one. Somebody has to look. */
  readonly unknown: readonly string[];
}

/**
 * What the answer to {@link rollupSql} says of the clients. Quantities are rounded to whole units once a day, a half upwards.
 *
 * @param clients the environment's by slug; what lies before the day on which one was made is not its own
 */
export function rollUp(
  day: string,
  rows: readonly UsageRow[],
  clients: ReadonlyMap<string, { readonly id: string; readonly createdAt: Date }>,
): Rollup {
  const unknown = new Set<string>();
  const usage = rows.flatMap(({ tenant, metric, quantity }) => {
    const client = clients.get(tenant);
    if (client === undefined || dayOf(client.createdAt) > day) {
      unknown.add(tenant);
      return [];
    }
    return [{ clientId: client.id, day, metric, quantity: BigInt(Math.round(quantity)) }];
  });
  return { day, usage, unknown: [...unknown].toSorted() };
}
