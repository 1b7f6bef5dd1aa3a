import { type Batch, selectRows } from "../../batch.ts";
import type { Budget } from "../budget.ts";
import { asNumbers, rowsOf } from "../compiling/vectors.ts";
import type { Compiled, Row } from "../functions/function.ts";
import type { Select } from "../reading/syntax.ts";
import type { SqlType } from "../values/types.ts";
import { asTruth } from "../values/values.ts";
import { Collector } from "./collector.ts";
import { Groups } from "./groups.ts";
import { periodOf } from "./period.ts";
import { type Plan, planSelect } from "./plan.ts";
import type { Table } from "./source.ts";
import { nothing, type Period, type Source, sourceOfTable } from "./source.ts";

export interface World {
  table: (name: string) => Source;
  /** Seconds since the epoch. */
  now: bigint;
  budget: Budget;
}

export async function runSelect(query: Select, world: World): Promise<Table> {
  const { now, budget } = world;
  const source = await sourceOf(query, world);
  const planned = planSelect(query, source, now);
  const hasAlias = query.columns !== "*" && query.columns.some(({ alias }) => alias === "timestamp");
  const period = hasAlias ? {} : periodOf(query.where, now);
  const collector = new Collector(planned.order, query, budget);
  const answer = (row: Row) => collector.add(planned.columns.map(({ from }) => from.evaluate(row)));
  const { grouping } = planned;
  if (grouping === undefined) {
    await readSource(source, planned, period, budget, (row) => {
      answer(row);
      return !collector.isFull;
    });
  } else {
    const isFolded = "batches" in source && grouping.keys.every(({ vector }) => vector !== undefined);
    const groups = new Groups(grouping.keys, grouping.calls, budget, isFolded);
    const add = (row: Row) => {
      groups.add(row);
      return true;
    };
    if (isFolded)
      await foldGroups(source.batches(planned.needed, period), typesOf(source, planned), planned, budget, groups);
    else await readSource(source, planned, period, budget, add);
    await takeRows(groups.rows(), budget, (row) => {
      if (grouping.having === undefined || asTruth(grouping.having.evaluate(row))) answer(row);
      return true;
    });
  }
  return { columns: planned.columns, rows: collector.rows(), rowsBeforeLimit: collector.seen };
}

async function sourceOf({ from }: Select, world: World): Promise<Source> {
  if (from === undefined) return nothing;
  return typeof from === "string" ? world.table(from) : sourceOfTable(await runSelect(from, world));
}

function typesOf({ columns }: Source, { needed }: Plan): SqlType[] {
  return needed.flatMap((name) => columns.get(name) ?? []);
}

/** Reads the matching rows until `take` returns false. */
async function readSource(
  source: Source,
  planned: Plan,
  period: Period,
  budget: Budget,
  take: (row: Row) => boolean,
): Promise<void> {
  const { needed, where } = planned;
  if ("rows" in source) {
    await takeRows(source.rows(needed, period), budget, (row) => !passesConditions(row, where) || take(row));
    return;
  }
  const types = typesOf(source, planned);
  for (const batch of source.batches(needed, period)) {
    const left = await filterBatch(batch, types, where, budget);
    if (left !== undefined && !(await takeRows(rowsOf(left, types), budget, take))) return;
  }
}

async function foldGroups(
  batches: Iterable<Batch>,
  types: readonly SqlType[],
  { where }: Plan,
  budget: Budget,
  groups: Groups,
): Promise<void> {
  for (const batch of batches) {
    const left = await filterBatch(batch, types, where, budget);
    if (left === undefined) continue;
    const numbers = groups.addBatch(left);
    if (!groups.needsRows) continue;
    let at = 0;
    await takeRows(rowsOf(left, types), budget, (row) => {
      groups.add(row, numbers[at++]);
      return true;
    });
  }
}

/** Returns undefined for no matching rows. Vectorized conditions run first, because they cannot fail; later ones see the remaining rows. */
async function filterBatch(
  batch: Batch,
  types: readonly SqlType[],
  where: readonly Compiled[],
  budget: Budget,
): Promise<Batch | undefined> {
  if (budget.isTurnOver()) await budget.rest();
  let left = batch;
  for (const { vector } of where) {
    if (vector === undefined) continue;
    const { values, same } = asNumbers(vector(left));
    if (same !== undefined && same !== 0) continue;
    const some = truePlaces(values, left.length);
    if (some.length === 0) return undefined;
    if (some.length < left.length) left = selectRows(left, some);
  }
  const others = where.filter(({ vector }) => vector === undefined);
  if (others.length === 0) return left;
  const passed: number[] = [];
  await takeRows(rowsOf(left, types), budget, (row) => passed.push(passesConditions(row, others) ? 1 : 0) > 0);
  const some = truePlaces(Float64Array.from(passed), left.length);
  return some.length === 0 ? undefined : selectRows(left, some);
}

function truePlaces(values: Float64Array, length: number): Uint32Array {
  const found = new Uint32Array(length);
  let count = 0;
  for (let at = 0; at < length; at += 1) if (values[at] !== 0) found[count++] = at;
  return found.subarray(0, count);
}

function passesConditions(row: Row, where: readonly Compiled[]): boolean {
  return where.every((condition) => asTruth(condition.evaluate(row)));
}

/** @returns whether all rows were taken */
async function takeRows(rows: Iterable<Row>, budget: Budget, take: (row: Row) => boolean): Promise<boolean> {
  for (const row of rows) {
    if (budget.isTurnOver()) await budget.rest();
    if (!take(row)) return false;
  }
  return true;
}
