/** Data points Workers wrote to Analytics Engine, kept in SQLite. Columns are those of the vendor's SQL API. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import * as z from "zod";
import { createTable } from "./table.ts";

export interface DataPoint {
  dataset: string;
  /** The sampling key; empty if none was given. */
  index: string;
  blobs: string[];
  doubles: number[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

const MOST_FIELDS = 20;
/** Months; vendor: developers.cloudflare.com/analytics/analytics-engine/limits/#data-retention */
const KEPT_MONTHS = 3;
/** Some 200 bytes each. The vendor has no such bound, but samples. */
const MOST_POINTS = 1_000_000;
/** Points that are written before those too old or too many are looked for again. */
const WRITES_BETWEEN = 1_000;

const numbers = Array.from({ length: MOST_FIELDS }, (_, index) => index + 1);
const blobs = numbers.map((number) => `blob${number}` as const);
const doubles = numbers.map((number) => `double${number}` as const);

/** In the order of the vendor's documentation. */
export const COLUMNS = ["dataset", "timestamp", "_sample_interval", "index1", ...blobs, ...doubles] as const;
export type Column = (typeof COLUMNS)[number];

const bytes = z.array(z.number().int().min(0).max(255));
/** The event as workerd sends it: text as arrays of bytes, absent blobs left out, time in nanoseconds. */
const event = z.object({ timestamp: z.string().regex(/^\d+$/), index1: bytes.optional() }).loose();

export interface AnalyticsOptions {
  /** Points that are kept, of all datasets. Default: a million. */
  mostPoints?: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  now?: () => number;
}

export class Analytics {
  readonly #database: DatabaseSync;
  /** Another connection, which cannot write and sees no write while it reads. */
  readonly #reader: DatabaseSync;
  readonly #mostPoints: number;
  readonly #now: () => number;
  #writes = 0;

  /** @param directory where `analytics.sqlite` lies */
  constructor(directory: string, { mostPoints = MOST_POINTS, now = () => Date.now() }: AnalyticsOptions = {}) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, "analytics.sqlite");
    this.#mostPoints = mostPoints;
    this.#now = now;
    this.#database = new DatabaseSync(path);
    chmodSync(path, 0o600);
    createTable(this.#database, blobs, doubles);
    this.#reader = new DatabaseSync(path, { readOnly: true });
    this.#forget();
  }

  /**
   * Keeps one event of a Worker's `writeDataPoint`.
   * @param sampleInterval points that it stands for; nothing is sampled here
   * @throws ZodError or SyntaxError when `body` is not such an event
   */
  append(dataset: string, body: string, sampleInterval = 1): void {
    const read = event.parse(JSON.parse(body));
    this.#database
      .prepare(`insert into data_points (${COLUMNS.join(", ")}) values (${COLUMNS.map(() => "?").join(", ")})`)
      .run(
        dataset,
        Number(BigInt(read.timestamp) / 1_000_000n),
        sampleInterval,
        text(read.index1),
        ...blobs.map((name) => text(bytes.optional().parse(read[name]))),
        ...doubles.map((name) => z.number().parse(read[name] ?? 0)),
      );
    this.#writes += 1;
    if (this.#writes % WRITES_BETWEEN === 0) this.#forget();
  }

  /** Points of a dataset, oldest first. @param since milliseconds since the epoch, default all that are kept */
  points(dataset: string, since = 0): DataPoint[] {
    const columns = ["timestamp", "index1", ...blobs, ...doubles] as const;
    return [...this.read(dataset, columns, { since })].map(([timestamp, index, ...values]) => ({
      dataset,
      index: String(index),
      blobs: values.slice(0, MOST_FIELDS).map(String),
      doubles: values.slice(MOST_FIELDS).map(Number),
      timestamp: Number(timestamp),
    }));
  }

  /** Names of the datasets that have points, sorted. */
  datasets(): string[] {
    // Asks the index for each name, rather than for each point.
    return this.#reader
      .prepare(
        `with recursive found(name) as (
           select min(dataset) from data_points
           union all
           select (select min(dataset) from data_points where dataset > found.name) from found where found.name is not null
         )
         select name from found where name is not null`,
      )
      .all()
      .map(({ name }) => String(name));
  }

  /**
   * Columns of a dataset's points, oldest first, as of now however long it takes to read them.
   *
   * @param during milliseconds since the epoch: from `since` on, until shortly before `before`. Default: all that are kept
   */
  *read(
    dataset: string,
    columns: readonly Column[],
    { since, before }: { since?: number | undefined; before?: number | undefined } = {},
  ): Generator<SQLOutputValue[]> {
    const statement = this.#reader.prepare(
      `select ${columns.length === 0 ? "1" : columns.join(", ")} from data_points
       where dataset = ? and timestamp >= ? and timestamp < ? order by timestamp, rowid`,
    );
    statement.setReturnArrays(true);
    const from = Math.max(since ?? 0, this.#oldest());
    // As arrays, which the types of the package do not know.
    yield* statement.iterate(dataset, from, before ?? Number.MAX_SAFE_INTEGER) as unknown as Iterable<SQLOutputValue[]>;
  }

  close(): void {
    this.#reader.close();
    this.#database.close();
  }

  /** When the vendor's retention begins, in milliseconds since the epoch. */
  #oldest(): number {
    const time = new Date(this.#now());
    return time.setUTCMonth(time.getUTCMonth() - KEPT_MONTHS);
  }

  /** Points were written in the order of their times, nearly: what lies before the first that is young enough goes. */
  #forget(): void {
    this.#database
      .prepare(
        `delete from data_points where rowid < coalesce(
           (select rowid from data_points where timestamp >= ? order by rowid limit 1),
           (select max(rowid) + 1 from data_points))`,
      )
      .run(this.#oldest());
    this.#database
      .prepare("delete from data_points where rowid <= (select max(rowid) from data_points) - ?")
      .run(this.#mostPoints);
  }
}

function text(value: number[] | undefined): string {
  return Buffer.from(value ?? []).toString("utf8");
}
