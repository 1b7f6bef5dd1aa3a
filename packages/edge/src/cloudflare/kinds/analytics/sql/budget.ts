/** What one query may take of the edge: time, and memory for what it keeps. */
import { setImmediate } from "node:timers/promises";
import { SqlError } from "./sql-error.ts";
import type { Value } from "./values/values.ts";

export interface Limits {
  /** For one query. */
  milliseconds: number;
  /** Of an answer. */
  rows: number;
  /** Estimated, of all that is kept at once: groups, distinct values, rows to be sorted or answered. */
  bytes: number;
}

export const LIMITS: Limits = { milliseconds: 30_000, rows: 100_000, bytes: 64 * 2 ** 20 };

/** How long others wait at most, in milliseconds. */
const TURN = 20;
/** Of a value that is kept, beside its text. */
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

  /** Whether it is time to let others work. @throws SqlError 504 when the query's own time is over */
  isTurnOver(): boolean {
    const now = performance.now();
    if (now > this.#end) throw new SqlError("the query took too long", 504);
    return now > this.#turnEnd;
  }

  /** Lets others work. */
  async rest(): Promise<void> {
    await setImmediate();
    this.#turnEnd = performance.now() + TURN;
  }

  /** @throws SqlError when too much is kept */
  keep(values: readonly Value[]): void {
    this.#bytes += sizeOf(values);
    if (this.#bytes > this.#limits.bytes)
      throw new SqlError("the query needs too much memory: group, filter or limit it");
  }

  drop(values: readonly Value[]): void {
    this.#bytes -= sizeOf(values);
  }

  /** @throws SqlError for too long an answer, of which none is cut short */
  checkRows(count: number): void {
    const { rows } = this.#limits;
    if (count > rows) throw new SqlError(`the answer has more than ${rows} rows: use LIMIT`);
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
