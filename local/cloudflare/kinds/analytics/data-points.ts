/** Data points Workers wrote to Analytics Engine, kept in SQLite. Columns follow the vendor's SQL API. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";

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
const bytes = z.array(z.number().int().min(0).max(255));
/** The event as workerd sends it: text as arrays of bytes, absent blobs left out, time in nanoseconds. */
const event = z.object({ timestamp: z.string().regex(/^\d+$/), index1: bytes.optional() }).loose();

export class Analytics {
  readonly #database: DatabaseSync;

  /** @param directory where `analytics.sqlite` lies */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, "analytics.sqlite");
    this.#database = new DatabaseSync(path);
    chmodSync(path, 0o600);
    this.#database.exec(`
      pragma journal_mode = wal;
      create table if not exists points (
        dataset text not null,
        timestamp integer not null,
        index1 text not null,
        blobs text not null,
        doubles text not null
      );
      create index if not exists points_by_dataset on points (dataset, timestamp);
    `);
  }

  /**
   * Keeps one event of a Worker's `writeDataPoint`.
   * @throws ZodError or SyntaxError when `body` is not such an event
   */
  append(dataset: string, body: string): void {
    const read = event.parse(JSON.parse(body));
    this.#database
      .prepare("insert into points (dataset, timestamp, index1, blobs, doubles) values (?, ?, ?, ?, ?)")
      .run(
        dataset,
        Number(BigInt(read.timestamp) / 1_000_000n),
        text(read.index1),
        JSON.stringify(numbered(read, "blob").map((value) => text(bytes.optional().parse(value)))),
        JSON.stringify(numbered(read, "double").map((value) => z.number().parse(value ?? 0))),
      );
  }

  /** Points of a dataset, oldest first. @param since milliseconds since the epoch, default all */
  points(dataset: string, since = 0): DataPoint[] {
    return this.#database
      .prepare("select * from points where dataset = ? and timestamp >= ? order by timestamp, rowid")
      .all(dataset, since)
      .map((row) => ({
        dataset,
        index: z.string().parse(row.index1),
        blobs: z.array(z.string()).parse(JSON.parse(z.string().parse(row.blobs))),
        doubles: z.array(z.number()).parse(JSON.parse(z.string().parse(row.doubles))),
        timestamp: z.number().parse(row.timestamp),
      }));
  }

  close(): void {
    this.#database.close();
  }
}

function text(value: number[] | undefined): string {
  return Buffer.from(value ?? []).toString("utf8");
}

/** The vendor's tables have twenty columns of each kind, empty where nothing was written. */
function numbered(read: Record<string, unknown>, kind: string): unknown[] {
  return Array.from({ length: MOST_FIELDS }, (_, index) => read[`${kind}${index + 1}`]);
}
