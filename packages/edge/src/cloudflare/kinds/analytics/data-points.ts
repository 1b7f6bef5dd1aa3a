/** The latest points of Analytics Engine are stored as rows in SQLite, older ones as blocks. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import * as z from "zod";
import type { Arrival } from "#weather/analytics-weather.ts";
import type { Batch, Vector } from "./batch.ts";
import { addBlock, dropBeyond, dropOlder, type PointColumns, readBlocks, type Span } from "./blocks.ts";
import { blobs, COLUMNS, type Column, doubles, MOST_FIELDS } from "./columns.ts";
import { createTable } from "./table.ts";
import { readTail, sealTail } from "./tail.ts";

export interface DataPoint {
  dataset: string;
  /** The sampling key; empty by default. */
  index: string;
  blobs: string[];
  doubles: number[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

/** At about 40 bytes for each point, at most 400 MB. Cloudflare samples instead. */
const MOST_POINTS = 10_000_000;
/** Writes between two cleanups. */
const WRITES_BETWEEN = 1_000;
/** A larger block would hold up other requests: sealing this many points takes about 0.2 s. */
const BLOCK_POINTS = 16_384;

const bytes = z.array(z.number().int().min(0).max(255));
/** The event of workerd: text as byte arrays, without empty blobs, time in nanoseconds. */
const event = z.object({ timestamp: z.string().regex(/^\d+$/), index1: bytes.optional() }).loose();

export interface AnalyticsOptions {
  /** Limit of all datasets, within one block. Default: 10,000,000. */
  mostPoints?: number;
  /** Default: 16,384. */
  blockPoints?: number;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  now?: () => number;
  /** Returns when a point becomes queryable. Default: immediately, without sampling. */
  arrivalOf?: ((dataset: string, index: string) => Arrival) | undefined;
}

export class Analytics {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #reader: DatabaseSync;
  readonly #mostPoints: number;
  readonly #blockPoints: number;
  readonly #now: () => number;
  readonly #arrivalOf: AnalyticsOptions["arrivalOf"];
  /** Points that are not queryable yet. */
  #late: { at: number; store: () => void }[] = [];
  /** Row counts by dataset, filled on first use. */
  readonly #rows = new Map<string, number>();
  #writes = 0;

  /** @param directory of `analytics.sqlite` */
  constructor(directory: string, options: AnalyticsOptions = {}) {
    const { mostPoints = MOST_POINTS, blockPoints = BLOCK_POINTS, now = () => Date.now() } = options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#path = join(directory, "analytics.sqlite");
    this.#mostPoints = mostPoints;
    this.#blockPoints = blockPoints;
    this.#now = now;
    this.#arrivalOf = options.arrivalOf;
    this.#database = new DatabaseSync(this.#path);
    chmodSync(this.#path, 0o600);
    createTable(this.#database);
    this.#reader = new DatabaseSync(this.#path, { readOnly: true });
    this.#forget();
  }

  /** Stores an event of `writeDataPoint`. @throws ZodError or SyntaxError when `body` is not such an event */
  append(dataset: string, body: string, sampleInterval = 1): void {
    const read = event.parse(JSON.parse(body));
    const arrival = this.#arrivalOf?.(dataset, decodeText(read.index1)) ?? { at: this.#now(), sampleInterval };
    const store = () => this.#store(dataset, read, arrival.sampleInterval);
    if (arrival.sampleInterval > 0) this.#late.push({ at: arrival.at, store });
    this.#storeArrived();
  }

  /** @param until milliseconds since the epoch. Default: now */
  #storeArrived(until = this.#now()): void {
    if (this.#late.length === 0) return;
    const arrived = this.#late.filter(({ at }) => at <= until);
    this.#late = this.#late.filter(({ at }) => at > until);
    for (const { store } of arrived) store();
  }

  #store(dataset: string, read: z.infer<typeof event>, sampleInterval: number): void {
    this.#database
      .prepare(`insert into data_points (${COLUMNS.join(", ")}) values (${COLUMNS.map(() => "?").join(", ")})`)
      .run(
        dataset,
        Number(BigInt(read.timestamp) / 1_000_000n),
        sampleInterval,
        decodeText(read.index1),
        ...blobs.map((name) => decodeText(bytes.optional().parse(read[name]))),
        ...doubles.map((name) => z.number().parse(read[name] ?? 0)),
      );
    this.#seal(dataset);
    this.#writes += 1;
    if (this.#writes % WRITES_BETWEEN === 0) this.#forget();
  }

  /** Stores many points as one block. @param points at least one */
  appendBlock(dataset: string, points: PointColumns): void {
    this.#transaction(() => addBlock(this.#database, dataset, points));
  }

  /** Returns the points of a dataset, oldest first. @param since milliseconds since the epoch. Default: all */
  points(dataset: string, since = 0): DataPoint[] {
    const found: DataPoint[] = [];
    for (const { length, columns } of this.batches(dataset, ["timestamp", "index1", ...blobs, ...doubles], { since })) {
      for (let at = 0; at < length; at += 1) {
        const [timestamp, index, ...values] = columns.map((column) => valueAt(column, at));
        found.push({
          dataset,
          index: String(index),
          blobs: values.slice(0, MOST_FIELDS).map(String),
          doubles: values.slice(MOST_FIELDS).map(Number),
          timestamp: Number(timestamp),
        });
      }
    }
    return found;
  }

  /** Returns the names of the datasets that have points, sorted. */
  datasets(): string[] {
    this.#storeArrived();
    // A recursive query skips from name to name in the index instead of reading every row.
    return this.#reader
      .prepare(
        `with recursive found(name) as (
           select min(dataset) from data_points
           union all
           select (select min(dataset) from data_points where dataset > found.name) from found where found.name is not null
         )
         select name from found where name is not null union select dataset from blocks order by name`,
      )
      .all()
      .map(({ name }) => String(name));
  }

  /** Yields a snapshot of columns, nearly sorted by time. A batch is valid until the next one is requested. @param span default: all */
  *batches(
    dataset: string,
    columns: readonly Column[],
    { since, before }: { [Bound in keyof Span]?: Span[Bound] | undefined } = {},
  ): Generator<Batch> {
    this.#storeArrived();
    const span = { since: Math.max(since ?? 0, this.#oldest()), before: before ?? Number.MAX_SAFE_INTEGER };
    // A separate connection has its own transaction, so others can read and write meanwhile.
    const reader = new DatabaseSync(this.#path, { readOnly: true });
    try {
      reader.exec("begin");
      yield* readBlocks(reader, dataset, columns, span);
      yield* readTail(reader, dataset, columns, span);
    } finally {
      reader.close();
    }
  }

  close(): void {
    this.#storeArrived(Number.POSITIVE_INFINITY);
    this.#reader.close();
    this.#database.close();
  }

  /** Seals the oldest rows when a quarter more than a block exists, because points can arrive late. */
  #seal(dataset: string): void {
    const before = this.#rows.get(dataset);
    const rows = before === undefined ? this.#count(dataset) : before + 1;
    this.#rows.set(dataset, rows);
    if (rows < this.#blockPoints * 1.25) return;
    const sealed = this.#transaction(() => sealTail(this.#database, dataset, this.#blockPoints));
    this.#rows.set(dataset, rows - sealed);
  }

  #count(dataset?: string): number {
    const counted =
      dataset === undefined
        ? this.#database.prepare("select count(*) as count from data_points").get()
        : this.#database.prepare("select count(*) as count from data_points where dataset = ?").get(dataset);
    return Number(counted?.count);
  }

  #transaction<Result>(work: () => Result): Result {
    this.#database.exec("begin immediate");
    try {
      const result = work();
      this.#database.exec("commit");
      return result;
    } catch (error) {
      this.#database.exec("rollback");
      throw error;
    }
  }

  /** Start of the retention period, in milliseconds since the epoch. */
  #oldest(): number {
    const time = new Date(this.#now());
    return time.setUTCMonth(time.getUTCMonth() - LIMITS.analyticsRetention.value);
  }

  /** Rows are nearly sorted by time, so all before the first young one are deleted. */
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
    this.#rows.clear();
    dropOlder(this.#database, this.#oldest());
    dropBeyond(this.#database, this.#mostPoints - this.#count());
  }
}

function decodeText(value: number[] | undefined): string {
  return Buffer.from(value ?? []).toString("utf8");
}

function valueAt(column: Vector, at: number): string | number {
  return (column.kind === "numbers" ? column.values[at] : column.texts[column.codes[at] ?? 0]) ?? 0;
}
