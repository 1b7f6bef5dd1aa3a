/** Runs a `SELECT`. */
import type { Budget } from "../budget.ts";
import type { Row } from "../functions/function.ts";
import type { Select } from "../reading/syntax.ts";
import { asTruth } from "../values/values.ts";
import { Collector } from "./collector.ts";
import { Groups } from "./groups.ts";
import { periodOf } from "./period.ts";
import { type Plan, plan } from "./plan.ts";
import { answered, nothing, type Period, type Source } from "./source.ts";
import type { Table } from "./table.ts";

/** What a query can reach. */
export interface World {
  /** @throws SqlError for a table that there is not */
  table: (name: string) => Source;
  /** Seconds since the epoch. */
  now: bigint;
  budget: Budget;
}

/** @throws SqlError for what the dialect has not, and for what takes too much */
export async function select(query: Select, world: World): Promise<Table> {
  const { now, budget } = world;
  const source = await sourceOf(query, world);
  const planned = plan(query, source, now);
  const hasAlias = query.columns !== "*" && query.columns.some(({ alias }) => alias === "timestamp");
  const period = hasAlias ? {} : periodOf(query.where, now);
  const collector = new Collector(planned.order, query, budget);
  const answer = (row: Row) => collector.add(planned.columns.map(({ from }) => from.evaluate(row)));
  const { grouping } = planned;
  if (grouping === undefined) {
    await read(source, planned, period, budget, (row) => {
      answer(row);
      return !collector.isFull;
    });
  } else {
    const groups = new Groups(grouping.keys, grouping.calls, budget);
    await read(source, planned, period, budget, (row) => {
      groups.add(row);
      return true;
    });
    await each(groups.rows(), budget, (row) => {
      if (grouping.having === undefined || asTruth(grouping.having.evaluate(row))) answer(row);
      return true;
    });
  }
  return { columns: planned.columns, rows: collector.rows(), rowsBeforeLimit: collector.seen };
}

async function sourceOf({ from }: Select, world: World): Promise<Source> {
  if (from === undefined) return nothing;
  return typeof from === "string" ? world.table(from) : answered(await select(from, world));
}

/** Reads the rows that the condition lets through, until `take` has enough. */
async function read(
  source: Source,
  { needed, where }: Plan,
  period: Period,
  budget: Budget,
  take: (row: Row) => boolean,
): Promise<void> {
  await each(source.rows(needed, period), budget, (row) => {
    if (where !== undefined && !asTruth(where.evaluate(row))) return true;
    return take(row);
  });
}

async function each(rows: Iterable<Row>, budget: Budget, take: (row: Row) => boolean): Promise<void> {
  for (const row of rows) {
    if (budget.isTurnOver()) await budget.rest();
    if (!take(row)) return;
  }
}
