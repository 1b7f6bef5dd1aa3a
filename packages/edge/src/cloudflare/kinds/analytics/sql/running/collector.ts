import type { Budget } from "../budget.ts";
import type { Compiled, Row } from "../functions/function.ts";
import type { Select } from "../reading/syntax.ts";
import { compareValues, type Value } from "../values/values.ts";

export interface Order {
  by: Compiled;
  descending: boolean;
}

/** Surplus rows before a sort drops them. */
const SLACK = 1_000;

export class Collector {
  readonly #order: readonly Order[];
  readonly #limit: number | undefined;
  readonly #offset: number;
  readonly #budget: Budget;
  #kept: { row: Row; keys: readonly Value[] }[] = [];
  #seen = 0;

  constructor(order: readonly Order[], { limit, offset }: Pick<Select, "limit" | "offset">, budget: Budget) {
    this.#order = order;
    this.#limit = limit;
    this.#offset = offset;
    this.#budget = budget;
  }

  get seen(): number {
    return this.#seen;
  }

  /** Whether later rows cannot be in the result. */
  get isFull(): boolean {
    return this.#order.length === 0 && this.#kept.length >= this.#wanted;
  }

  get #wanted(): number {
    return this.#limit === undefined ? Number.POSITIVE_INFINITY : this.#limit + this.#offset;
  }

  add(row: Row): void {
    this.#seen += 1;
    if (this.isFull) return;
    const keys = this.#order.map(({ by }) => by.evaluate(row));
    this.#budget.keep(row);
    this.#budget.keep(keys);
    this.#kept.push({ row, keys });
    if (this.#order.length > 0 && this.#kept.length > this.#wanted * 2 + SLACK) this.#cut();
  }

  rows(): Row[] {
    this.#cut();
    const rows = this.#kept.slice(this.#offset).map(({ row }) => row);
    this.#budget.checkRows(rows.length);
    return rows;
  }

  #cut(): void {
    // The sort is stable.
    if (this.#order.length > 0) this.#kept.sort((a, b) => this.#compare(a.keys, b.keys));
    for (const { row, keys } of this.#kept.splice(Math.min(this.#wanted, this.#kept.length))) {
      this.#budget.drop(row);
      this.#budget.drop(keys);
    }
  }

  #compare(a: readonly Value[], b: readonly Value[]): number {
    for (const [at, { descending }] of this.#order.entries()) {
      const order = compareValues(a[at] ?? 0n, b[at] ?? 0n);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  }
}
