import type { Batch } from "../../batch.ts";
import type { State } from "../aggregates/aggregate.ts";
import type { AggregateCall } from "../aggregates/catalogue.ts";
import type { Fold, Tallies } from "../aggregates/folds.ts";
import type { Budget } from "../budget.ts";
import { type VectorOf, valueAt } from "../compiling/vectors.ts";
import type { Compiled, Row } from "../functions/function.ts";
import { keyOf, type Value } from "../values/values.ts";
import { Keys } from "./keys.ts";

interface Group {
  keys: readonly Value[];
  /** Of calls without a fold. */
  states: readonly State[];
}

interface Folded {
  fold: Fold;
  arguments: readonly VectorOf[];
  tallies: Tallies;
}

type Part = { folded: Folded } | { call: AggregateCall; state: number };

export class Groups {
  readonly #keys: readonly Compiled[];
  readonly #budget: Budget;
  readonly #groups: Group[] = [];
  /** Group numbers by {@link keyOf}, for rows outside of batches. */
  readonly #named = new Map<string, number>();
  readonly #numbered: Keys;
  readonly #parts: readonly Part[];
  readonly #folded: readonly Folded[];
  readonly #calls: readonly AggregateCall[];

  /** @param keys none: one group, even without rows @param areBatches whether rows arrive in batches with vectors for all keys */
  constructor(keys: readonly Compiled[], calls: readonly AggregateCall[], budget: Budget, areBatches: boolean) {
    this.#keys = keys;
    this.#budget = budget;
    this.#numbered = new Keys(keys.length);
    const left: AggregateCall[] = [];
    this.#parts = calls.map((call) => {
      const folded = areBatches ? foldedOf(call) : undefined;
      return folded === undefined ? { call, state: left.push(call) - 1 } : { folded };
    });
    this.#folded = this.#parts.flatMap((part) => ("folded" in part ? part.folded : []));
    this.#calls = left;
    if (keys.length === 0) this.#make([]);
  }

  /** Whether rows of a batch must also be added one by one. */
  get needsRows(): boolean {
    return this.#calls.length > 0;
  }

  /** Adds a batch to the calls with a fold. @returns the group number of each row @throws SqlError when the memory limit is exceeded */
  addBatch(batch: Batch): Uint32Array {
    const { length } = batch;
    const keys = this.#keys.map(({ vector, type }) => {
      if (vector === undefined) throw new Error("a key has no vectors");
      return { vector: vector(batch), type };
    });
    const numbers = this.#numbered.numbers(
      keys.map(({ vector }) => vector),
      length,
    );
    for (let at = 0; at < length; at += 1) {
      if (numbers[at] === this.#groups.length) this.#make(keys.map(({ vector, type }) => valueAt(vector, at, type)));
    }
    for (const { fold, arguments: given, tallies } of this.#folded) {
      const vectors = given.map((vector) => vector(batch));
      fold.add(tallies, numbers, length, vectors);
    }
    return numbers;
  }

  /** Adds a row to the calls without a fold. @throws SqlError when the memory limit is exceeded */
  add(row: Row, number = this.#numberOf(row)): void {
    const states = this.#groups[number]?.states ?? [];
    for (const [at, { arguments: given }] of this.#calls.entries()) {
      states[at]?.add(given.map((one) => one.evaluate(row)));
    }
  }

  /** Yields the keys and results of each group. */
  *rows(): Generator<Row> {
    for (const [number, { keys, states }] of this.#groups.entries()) {
      const results = this.#parts.map((part) => {
        if ("call" in part) return states[part.state]?.result() ?? 0n;
        const { fold, tallies } = part.folded;
        return fold.result(tallies.totals[number] ?? 0, tallies.rows[number] ?? 0);
      });
      yield [...keys, ...results];
    }
  }

  #numberOf(row: Row): number {
    if (this.#keys.length === 0) return 0;
    const keys = this.#keys.map((key) => key.evaluate(row));
    const name = keyOf(keys);
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const number = this.#make(keys);
    this.#named.set(name, number);
    return number;
  }

  #make(keys: readonly Value[]): number {
    const keep = (values: readonly Value[]) => this.#budget.keep(values);
    // The keys are stored twice: in the group, and as the name.
    keep([...keys, ...keys, ...this.#parts.map(() => 0n)]);
    const groups = this.#groups.push({ keys, states: this.#calls.map(({ start }) => start(keep)) });
    for (const { fold, tallies } of this.#folded) growTallies(tallies, groups, fold.initial);
    return groups - 1;
  }
}

function foldedOf({ fold, arguments: given }: AggregateCall): Folded | undefined {
  const vectors = given.flatMap(({ vector }) => vector ?? []);
  if (fold === undefined || vectors.length < given.length) return undefined;
  return { fold, arguments: vectors, tallies: { totals: new Float64Array(), rows: new Float64Array() } };
}

function growTallies(tallies: Tallies, groups: number, initial: number): void {
  const { length } = tallies.totals;
  if (groups <= length) return;
  const [totals, rows] = [new Float64Array(groups * 2).fill(initial), new Float64Array(groups * 2)];
  totals.set(tallies.totals);
  rows.set(tallies.rows);
  tallies.totals = totals;
  tallies.rows = rows;
}
