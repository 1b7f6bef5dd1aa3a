/** The groups of a query, each with what came of its rows. */
import type { Batch, Texts, Vector } from "../../batch.ts";
import type { State } from "../aggregates/aggregate.ts";
import type { AggregateCall } from "../aggregates/catalogue.ts";
import type { Fold, Tallies } from "../aggregates/folds.ts";
import type { Budget } from "../budget.ts";
import { type VectorOf, valueAt } from "../compiling/vectors.ts";
import type { Compiled, Row } from "../functions/function.ts";
import type { SqlType } from "../values/types.ts";
import { keyOf, type Value } from "../values/values.ts";
import { distinct } from "./keys.ts";

interface Group {
  /** In the order in which they were made, from 0. */
  number: number;
  keys: readonly Value[];
  /** Of calls that are not folded. */
  states: readonly State[];
}

/** A call whose arguments come as vectors. */
interface Folded {
  fold: Fold;
  arguments: readonly VectorOf[];
  tallies: Tallies;
}

type Part = { folded: Folded } | { call: AggregateCall; state: number };

export class Groups {
  readonly #keys: readonly Compiled[];
  readonly #budget: Budget;
  readonly #groups = new Map<string, Group>();
  /** A part a call. */
  readonly #parts: readonly Part[];
  readonly #folded: readonly Folded[];
  readonly #calls: readonly AggregateCall[];
  /** Groups of a block's texts, -1 where none came yet. */
  #known: { texts: readonly string[]; groups: Int32Array } | undefined;

  /**
   * @param keys by which rows are grouped; without any there is one group, of no rows too
   * @param fold whether rows come in batches whose keys have vectors, so that calls that can be are folded
   */
  constructor(keys: readonly Compiled[], calls: readonly AggregateCall[], budget: Budget, fold: boolean) {
    this.#keys = keys;
    this.#budget = budget;
    const left: AggregateCall[] = [];
    this.#parts = calls.map((call) => {
      const folded = fold ? foldedOf(call) : undefined;
      return folded === undefined ? { call, state: left.push(call) - 1 } : { folded };
    });
    this.#folded = this.#parts.flatMap((part) => ("folded" in part ? part.folded : []));
    this.#calls = left;
    if (keys.length === 0) this.#groupOf([]);
  }

  /** Whether rows that were added as a batch are to be added one by one too. */
  get needsRows(): boolean {
    return this.#calls.length > 0;
  }

  /** Adds a batch to the calls that are folded. @throws SqlError when too much is to be kept */
  addBatch(batch: Batch): void {
    const keys = this.#keys.map(({ vector, type }) => {
      if (vector === undefined) throw new Error("a key has no vectors");
      return { vector: vector(batch), type };
    });
    const [only, ...others] = keys;
    const groups =
      only?.vector.kind === "texts" && others.length === 0
        ? this.#byText(only.vector, batch.length)
        : this.#byKeys(keys, batch.length);
    for (const { fold, arguments: given, tallies } of this.#folded) {
      fold.add(
        tallies,
        groups,
        batch.length,
        given.map((vector) => vector(batch)),
      );
    }
  }

  /** @throws SqlError when too much is to be kept */
  add(row: Row): void {
    const { states } = this.#groupOf(this.#keys.map((key) => key.evaluate(row)));
    for (const [at, { arguments: given }] of this.#calls.entries()) {
      states[at]?.add(given.map((one) => one.evaluate(row)));
    }
  }

  /** A row for each: its keys, then the results. */
  *rows(): Generator<Row> {
    for (const { number, keys, states } of this.#groups.values()) {
      const results = this.#parts.map((part) => {
        if ("call" in part) return states[part.state]?.result() ?? 0n;
        const { fold, tallies } = part.folded;
        return fold.result(tallies.totals[number] ?? 0, tallies.rows[number] ?? 0);
      });
      yield [...keys, ...results];
    }
  }

  /** Of each row its group's number. */
  #byKeys(keys: readonly { vector: Vector; type: SqlType }[], length: number): Uint32Array {
    const vectors = keys.map(({ vector }) => vector);
    const { numbers, firsts } = distinct(vectors, length);
    const groups = Uint32Array.from(
      firsts,
      (at) => this.#groupOf(keys.map(({ vector, type }) => valueAt(vector, at, type))).number,
    );
    for (let at = 0; at < length; at += 1) numbers[at] = groups[numbers[at] ?? 0] ?? 0;
    return numbers;
  }

  /** The same, by a text alone: each text of a block is looked for once. */
  #byText({ codes, texts }: Texts, length: number): Uint32Array {
    if (this.#known?.texts !== texts) this.#known = { texts, groups: new Int32Array(texts.length).fill(-1) };
    const { groups } = this.#known;
    const numbers = new Uint32Array(length);
    for (let at = 0; at < length; at += 1) {
      const code = codes[at] ?? 0;
      let group = groups[code] ?? 0;
      if (group < 0) {
        group = this.#groupOf([texts[code] ?? ""]).number;
        groups[code] = group;
      }
      numbers[at] = group;
    }
    return numbers;
  }

  #groupOf(keys: readonly Value[]): Group {
    const name = keyOf(keys);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const keep = (values: readonly Value[]) => this.#budget.keep(values);
    keep([name, ...keys, ...this.#parts.map(() => 0n)]);
    const group = { number: this.#groups.size, keys, states: this.#calls.map(({ start }) => start(keep)) };
    this.#groups.set(name, group);
    for (const { fold, tallies } of this.#folded) grow(tallies, this.#groups.size, fold.initial);
    return group;
  }
}

function foldedOf({ fold, arguments: given }: AggregateCall): Folded | undefined {
  const vectors = given.flatMap(({ vector }) => vector ?? []);
  if (fold === undefined || vectors.length < given.length) return undefined;
  return { fold, arguments: vectors, tallies: { totals: new Float64Array(), rows: new Float64Array() } };
}

/** Makes place for more groups, for twice as many when there is none. */
function grow(tallies: Tallies, groups: number, initial: number): void {
  const { length } = tallies.totals;
  if (groups <= length) return;
  const [totals, rows] = [new Float64Array(groups * 2).fill(initial), new Float64Array(groups * 2)];
  totals.set(tallies.totals);
  rows.set(tallies.rows);
  tallies.totals = totals;
  tallies.rows = rows;
}
