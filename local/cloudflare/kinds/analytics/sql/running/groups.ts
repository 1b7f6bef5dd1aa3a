/** The groups of a query, each with what came of its rows. */

import type { State } from "../aggregates/aggregate.ts";
import type { AggregateCall } from "../aggregates/catalogue.ts";
import type { Budget } from "../budget.ts";
import type { Compiled, Row } from "../functions/function.ts";
import { keyOf, type Value } from "../values/values.ts";

interface Group {
  keys: readonly Value[];
  states: readonly State[];
}

export class Groups {
  readonly #keys: readonly Compiled[];
  readonly #calls: readonly AggregateCall[];
  readonly #budget: Budget;
  readonly #groups = new Map<string, Group>();

  /** @param keys by which rows are grouped; without any there is one group, of no rows too */
  constructor(keys: readonly Compiled[], calls: readonly AggregateCall[], budget: Budget) {
    this.#keys = keys;
    this.#calls = calls;
    this.#budget = budget;
    if (keys.length === 0) this.#groupOf([]);
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
    for (const { keys, states } of this.#groups.values()) yield [...keys, ...states.map((state) => state.result())];
  }

  #groupOf(keys: readonly Value[]): Group {
    const name = keyOf(keys);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const keep = (values: readonly Value[]) => this.#budget.keep(values);
    keep([name, ...keys, ...this.#calls.map(() => 0n)]);
    const group = { keys, states: this.#calls.map(({ start }) => start(keep)) };
    this.#groups.set(name, group);
    return group;
  }
}
