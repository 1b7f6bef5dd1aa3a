/** Spending of a tenant in the analytics dataset, by day and by model or person. */
import * as z from "zod";
import { nextDay } from "#domain/billing/billing-month.ts";
import type { Environment } from "#domain/environment.ts";
import { groupsBy } from "#domain/groups.ts";
import { addSpending, type Spending, type SpendingBy } from "#workers/contracts/api/model-calls.ts";
import { type AnalyticsSql, sqlNumber, sqlText, sqlTime } from "#workers/shared/analytics-sql.ts";

/** Columns of what spending is divided by (`docs/reference/metrics.md`). */
const COLUMNS: Readonly<Record<SpendingBy, { name: string; provider?: string }>> = {
  model: { name: "blob7", provider: "blob6" },
  person: { name: "blob8" },
};
const MAX_ROWS = 5_000;

export interface SpendingScope {
  dataset: string;
  environment: Environment;
  slug: string;
  /** Earlier points belong to an earlier client with the slug. */
  since: Date;
  from: string;
  to: string;
  by: SpendingBy;
  per: "day" | "month";
}

type Entry = Spending["data"][number];

const row = z.object({
  day: sqlTime,
  name: z.string(),
  provider: z.string().optional(),
  spent_micros: sqlNumber,
  calls: sqlNumber,
  input_tokens: sqlNumber,
  output_tokens: sqlNumber,
});

/** @throws AnalyticsSqlError */
export async function readSpending(analytics: AnalyticsSql, scope: SpendingScope): Promise<Spending> {
  const { from, to, by, per } = scope;
  const { name, provider } = COLUMNS[by];
  const columns = [`${name} AS name`, ...(provider === undefined ? [] : [`${provider} AS provider`])];
  const groups = ["day", "name", ...(provider === undefined ? [] : ["provider"])];
  const sum = (metric: string, double: number) =>
    `SUM(IF(blob1 = '${metric}', _sample_interval * double${double}, 0.0))`;
  const rows = await analytics.query(
    `SELECT toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day, ${columns.join(", ")},
      ${sum("ai_spend", 1)} AS spent_micros, ${sum("ai_queries", 1)} AS calls,
      ${sum("ai_queries", 2)} AS input_tokens, ${sum("ai_queries", 3)} AS output_tokens
     FROM ${scope.dataset}
     WHERE index1 = ${sqlText(scope.slug)} AND blob3 = ${sqlText(scope.environment)}
      AND (blob1 = 'ai_spend' OR blob1 = 'ai_queries')
      AND timestamp >= toDateTime('${from} 00:00:00') AND timestamp < toDateTime('${nextDay(to)} 00:00:00')
      AND timestamp >= toDateTime(${Math.floor(scope.since.getTime() / 1000)})
     GROUP BY ${groups.join(", ")} ORDER BY spent_micros DESC LIMIT ${MAX_ROWS}`,
    row,
  );
  const entries = rows.map(
    (one): Entry => ({
      period: `${one.day.toISOString().slice(0, per === "day" ? 10 : 7)}${per === "day" ? "" : "-01"}`,
      name: one.name === "" ? null : one.name,
      provider: one.provider || null,
      spent_micros: one.spent_micros,
      calls: one.calls,
      input_tokens: one.input_tokens,
      output_tokens: one.output_tokens,
    }),
  );
  const groupsOfPeriod = groupsBy(entries, ({ period, name, provider }) => JSON.stringify([period, provider, name]));
  return {
    from,
    to,
    data: [...groupsOfPeriod.values()].map((group) => group.reduce(addSpending)).toSorted(byPeriodAndSpending),
    truncated: rows.length === MAX_ROWS,
  };
}

const byPeriodAndSpending = (one: Entry, other: Entry): number =>
  one.period === other.period ? other.spent_micros - one.spent_micros : one.period < other.period ? -1 : 1;
