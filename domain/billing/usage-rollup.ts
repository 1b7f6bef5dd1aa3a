/** Usage of one day from the analytics dataset (`docs/reference/metrics.md`). Points have the time of their write, so that a day is queried again for late ones. */
import type { Environment } from "../environment.ts";
import { dayOf, nextDay } from "./billing-month.ts";
import { type DayUsage, type UsageMetric, usageMetrics } from "./usage-metric.ts";

export interface RollupScope {
  /** Name of the dataset: letters, digits and underscores. */
  readonly dataset: string;
  readonly environment: Environment;
  /** Day in UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** By slug, when its client got it during the day; older points belong to another client. Default: none. */
  readonly since?: ReadonlyMap<string, Date>;
}

/**
 * Returns the query for all tenants of an environment (vendor: "Workers Analytics Engine SQL API"). A row stands for `_sample_interval` points.
 *
 * @throws RangeError for an invalid day or dataset
 */
export function rollupSql({ dataset, environment, day, since = new Map() }: RollupScope): string {
  if (!/^\w+$/.test(dataset)) throw new RangeError(`${dataset} is not the name of a dataset`);
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

/** A row of {@link rollupSql}. */
export interface UsageRow {
  /** Slug. */
  readonly tenant: string;
  readonly metric: UsageMetric;
  /** In the metric's unit; not negative, not always an integer. */
  readonly quantity: number;
}

/** A day's usage as the database stores it. */
export interface Rollup {
  readonly day: string;
  /** By client. */
  readonly usage: readonly (DayUsage & { readonly clientId: string })[];
  /** Slugs without a client on that day; an operator has to check them. */
  readonly unknown: readonly string[];
}

/**
 * Assigns the rows of {@link rollupSql} to clients. Quantities are rounded half up, once per day.
 *
 * @param clients by slug; usage before the day of a client's creation is not its own
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
