/** Immutable points, stored by column. A query reads only the columns that it names, from the blocks that its period overlaps. */
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { BATCH_ROWS, type Batch } from "./batch.ts";
import { COLUMNS, type Column, isText } from "./columns.ts";
import { allocateVector, type Packed, packNumbers, packTexts, unpackNumbers } from "./packed.ts";

/** Milliseconds since the epoch; `before` is exclusive. */
export interface Span {
  since: number;
  before: number;
}

/** Values by column, sorted by `timestamp`. A missing column has the default of its type, or 1 for `_sample_interval`. */
export type PointColumns = Partial<Record<Column, readonly string[] | ArrayLike<number>>> & {
  timestamp: ArrayLike<number>;
};

export function createBlocks(database: DatabaseSync): void {
  database.exec(`
    create table if not exists blocks (
      id integer primary key,
      dataset text not null,
      oldest integer not null,
      newest integer not null,
      points integer not null
    );
    create index if not exists blocks_by_dataset on blocks (dataset, oldest);
    create table if not exists block_columns (
      block integer not null references blocks on delete cascade,
      name text not null,
      base real not null,
      width integer not null,
      bytes blob not null,
      texts text,
      primary key (block, name)
    );
  `);
}

/** @param points at least one */
export function addBlock(database: DatabaseSync, dataset: string, points: PointColumns): void {
  const { timestamp } = points;
  const { length } = timestamp;
  const block = database
    .prepare("insert into blocks (dataset, oldest, newest, points) values (?, ?, ?, ?)")
    .run(dataset, timestamp[0] ?? 0, timestamp[length - 1] ?? 0, length).lastInsertRowid;
  const insert = database.prepare(
    "insert into block_columns (block, name, base, width, bytes, texts) values (?, ?, ?, ?, ?, ?)",
  );
  for (const column of COLUMNS) {
    const { base, width, bytes, texts } = packedOf(column, dataset, points[column]);
    insert.run(block, column, base, width, bytes, texts === undefined ? null : JSON.stringify(texts));
  }
}

function packedOf(column: Column, dataset: string, values: PointColumns[Column]): Packed {
  if (column === "dataset") return packTexts([dataset]);
  if (isText(column)) return packTexts(values === undefined ? [""] : Array.from(values, String));
  return packNumbers(values === undefined ? [column === "_sample_interval" ? 1 : 0] : Array.from(values, Number));
}

/** Deletes the blocks that have only older points. @param oldest milliseconds since the epoch */
export function dropOlder(database: DatabaseSync, oldest: number): void {
  database.prepare("delete from blocks where newest < ?").run(oldest);
}

/** Deletes the oldest blocks until blocks have at most `most` points. */
export function dropBeyond(database: DatabaseSync, most: number): void {
  database
    .prepare(
      `delete from blocks where id in
         (select id from (select id, sum(points) over (order by id desc) as kept from blocks) where kept > ?)`,
    )
    .run(most);
}

const found = z.object({ id: z.number(), oldest: z.number(), newest: z.number(), points: z.number() });
const texts = z.array(z.string());
const stored = z.object({
  base: z.number(),
  width: z.number(),
  // A copy starts at offset 0 of its buffer, which typed arrays need for alignment.
  bytes: z.instanceof(Uint8Array).transform((bytes) => new Uint8Array(bytes)),
  texts: z
    .string()
    .transform((json) => texts.parse(JSON.parse(json)))
    .nullable(),
});

/** Yields blocks in the order of their oldest points. A batch is valid until the next one is requested. */
export function* readBlocks(
  database: DatabaseSync,
  dataset: string,
  columns: readonly Column[],
  span: Span,
): Generator<Batch> {
  const blocks = database
    .prepare(
      "select id, oldest, newest, points from blocks where dataset = ? and newest >= ? and oldest < ? order by oldest, id",
    )
    .all(dataset, span.since, span.before);
  const select = database.prepare("select base, width, bytes, texts from block_columns where block = ? and name = ?");
  const column = (block: number, name: Column): Packed => {
    const { texts: list, ...packed } = stored.parse(select.get(block, name));
    return list === null ? packed : { ...packed, texts: list };
  };
  const rooms = columns.map((name) => allocateVector(BATCH_ROWS, isText(name)));
  for (const { id, oldest, newest, points } of blocks.map((block) => found.parse(block))) {
    const isWhole = oldest >= span.since && newest < span.before;
    const [from, to] = isWhole ? [0, points] : pointsWithin(column(id, "timestamp"), points, span);
    const packed = columns.map((name) => column(id, name));
    for (let at = from; at < to; at += BATCH_ROWS) {
      const end = Math.min(to, at + BATCH_ROWS);
      const vectors = rooms.flatMap((into, place) => {
        const one = packed[place];
        return one === undefined ? [] : [unpackNumbers(one, at, end, into)];
      });
      yield { length: end - at, columns: vectors };
    }
  }
}

/** Returns the range of a block that lies in the span. */
function pointsWithin(timestamp: Packed, points: number, { since, before }: Span): [from: number, to: number] {
  const times = unpackNumbers(timestamp, 0, points, allocateVector(points, false));
  if (times.kind !== "numbers") throw new Error("the times of a block must be numbers");
  const { values } = times;
  const first = (limit: number) => {
    const at = values.findIndex((time) => time >= limit);
    return at < 0 ? points : at;
  };
  return [first(since), first(before)];
}
