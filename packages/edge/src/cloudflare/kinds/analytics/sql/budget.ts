import { setImmediate } from "node:timers/promises";
import { SqlError } from "./sql-error.ts";
import type { Value } from "./values/values.ts";

export interface Limits {
  milliseconds: number;
  rows: number;
  /** Estimated, of everything held at once: groups, distinct values, rows to sort or return. */
  bytes: number;
}

export const LIMITS: Limits = { milliseconds: 30_000, rows: 100_000, bytes: 64 * 2 ** 20 };

/** Milliseconds before the event loop gets a turn. */
const TURN = 20;
/** Of a value, in addition to its text. */
const BYTES_OF_VALUE = 16;

export class Budget {
  readonly #limits: Limits;
  readonly #end: number;
  #turnEnd: number;
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#end = performance.now() + limits.milliseconds;
    this.#turnEnd = performance.now() + TURN;
  }

  /** Returns whether to yield to the event loop. @throws SqlError 504 when the query exceeds its time limit */
  isTurnOver(): boolean {
    const now = performance.now();
    if (now > this.#end) throw new SqlError("the query exceeded the time limit", 504);
    return now > this.#turnEnd;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#turnEnd = performance.now() + TURN;
  }

  keep(values: readonly Value[]): void {
    this.#bytes += sizeOf(values);
    if (this.#bytes > this.#limits.bytes)
      throw new SqlError("the query exceeded the memory limit: group, filter or limit it");
  }

  drop(values: readonly Value[]): void {
    this.#bytes -= sizeOf(values);
  }

  checkRows(count: number): void {
    const { rows } = this.#limits;
    if (count > rows) throw new SqlError(`the result has more than ${rows} rows: use LIMIT`);
  }
}

function sizeOf(values: readonly Value[]): number {
  let size = 0;
  for (const value of values) {
    size += BYTES_OF_VALUE;
    if (typeof value === "string") size += value.length * 2;
    else if (Array.isArray(value)) size += sizeOf(value);
  }
  return size;
}
