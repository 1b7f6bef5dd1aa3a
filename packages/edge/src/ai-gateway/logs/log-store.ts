import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { type LogEntry, logRow, type Payloads, toRow } from "./log-entry.ts";
import { conditionOf, type LogFilter } from "./log-filter.ts";

/** Entries of a gateway. The vendor stores millions. */
const MAX_ENTRIES = 10_000;
const MAX_PAYLOADS = 1_000;
const MAX_CHARACTERS = 64_000;

export type LogOrder = keyof Pick<
  LogEntry,
  "created_at" | "provider" | "model" | "success" | "cached" | "cost" | "tokens_in" | "tokens_out" | "duration"
>;

export interface LogQuery {
  filters: readonly LogFilter[];
  search?: string;
  order: LogOrder;
  descending: boolean;
  offset: number;
  limit: number;
}

interface Retention {
  most?: number | null | undefined;
  /** Default: DELETE_OLDEST. */
  strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null | undefined;
}

const storedBodies = z.object({
  request: z.string().nullable(),
  request_size: z.number().nullable(),
  response: z.string().nullable(),
  response_size: z.number().nullable(),
});
export type StoredEntry = LogEntry & { request?: StoredBody; response?: StoredBody };
export interface StoredBody {
  /** The body or its start. */
  text: string;
  size: number;
}

const COLUMNS = Object.keys(logRow.shape).join(", ");

export class LogStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(`
      create table if not exists logs (
        seq integer primary key autoincrement,
        gateway text not null,
        id text not null unique,
        created_at text not null,
        duration integer not null,
        provider text not null,
        model text not null,
        path text not null,
        success integer not null,
        cached integer not null,
        status_code integer not null,
        tokens_in integer not null,
        tokens_out integer not null,
        cost real not null,
        custom_cost integer not null,
        metadata text not null,
        request_content_type text not null,
        response_content_type text not null,
        step integer not null,
        dlp text,
        request text,
        request_size integer,
        response text,
        response_size integer
      );
      create index if not exists logs_by_gateway on logs (gateway, seq);
    `);
  }

  /** @param payloads bodies to store. Default: none */
  add(gateway: string, entry: LogEntry, payloads?: Payloads, { most, strategy }: Retention = {}): void {
    // The end of the edge aborts streams after it has closed the log.
    if (!this.#database.isOpen) return;
    const limit = Math.min(most ?? MAX_ENTRIES, MAX_ENTRIES);
    if (strategy === "STOP_INSERTING" && this.count(gateway, []) >= limit) return;
    const row = {
      gateway,
      ...toRow(entry),
      request: payloads?.request.slice(0, MAX_CHARACTERS) ?? null,
      request_size: payloads?.request.length ?? null,
      response: payloads?.response.slice(0, MAX_CHARACTERS) ?? null,
      response_size: payloads?.response.length ?? null,
    };
    const names = Object.keys(row);
    const values = names.map((name) => `:${name}`);
    this.#database.prepare(`insert into logs (${names.join()}) values (${values.join()})`).run(row);
    const before = (count: number) =>
      `seq <= (select seq from logs where gateway = ? order by seq desc limit 1 offset ${count})`;
    this.#database.prepare(`delete from logs where gateway = ? and ${before(limit)}`).run(gateway, gateway);
    this.#database
      .prepare(
        `update logs set request = null, response = null
         where gateway = ? and request is not null and ${before(MAX_PAYLOADS)}`,
      )
      .run(gateway, gateway);
  }

  list(gateway: string, query: LogQuery): LogEntry[] {
    const { sql, parameters } = logConditions(gateway, query.filters, query.search);
    return this.#database
      .prepare(`select ${COLUMNS} from logs ${sql} ${orderBy(query)} limit ? offset ?`)
      .all(...parameters, query.limit, query.offset)
      .map((row) => logRow.parse(row));
  }

  count(gateway: string, filters: readonly LogFilter[], search?: string): number {
    const { sql, parameters } = logConditions(gateway, filters, search);
    return Number(this.#database.prepare(`select count(*) as count from logs ${sql}`).get(...parameters)?.count);
  }

  /** Returns minimum and maximum of numbers of the matching entries; null without entries. */
  ranges(gateway: string, filters: readonly LogFilter[], search?: string): Record<string, number | null> {
    const { sql, parameters } = logConditions(gateway, filters, search);
    const columns = ["cost", "duration", "tokens_in", "tokens_out"].flatMap((name) => [
      `min(${name}) as min_${name}`,
      `max(${name}) as max_${name}`,
    ]);
    columns.push("min(tokens_in + tokens_out) as min_total_tokens", "max(tokens_in + tokens_out) as max_total_tokens");
    const row = this.#database.prepare(`select ${columns.join(", ")} from logs ${sql}`).get(...parameters) ?? {};
    return z.record(z.string(), z.number().nullable()).parse({ ...row });
  }

  get(gateway: string, id: string): StoredEntry | undefined {
    const row = this.#database.prepare("select * from logs where gateway = ? and id = ?").get(gateway, id);
    if (row === undefined) return undefined;
    const { request, request_size, response, response_size } = storedBodies.parse(row);
    return {
      ...logRow.parse(row),
      ...(request !== null && { request: { text: request, size: Number(request_size) } }),
      ...(response !== null && { response: { text: response, size: Number(response_size) } }),
    };
  }

  /** Removes the entries that `query` lists. */
  remove(gateway: string, query: Omit<LogQuery, "offset" | "search">): void {
    const { sql, parameters } = logConditions(gateway, query.filters);
    this.#database
      .prepare(`delete from logs where seq in (select seq from logs ${sql} ${orderBy(query)} limit ?)`)
      .run(...parameters, query.limit);
  }

  removeAll(gateway: string): void {
    this.#database.prepare("delete from logs where gateway = ?").run(gateway);
  }
}

function logConditions(gateway: string, filters: readonly LogFilter[], search?: string) {
  const conditions = [
    { sql: "gateway = ?", parameters: [gateway] as (string | number | null)[] },
    ...filters.map(conditionOf),
  ];
  if (search !== undefined && search !== "") {
    const columns = ["metadata", "model", "provider", "path"];
    conditions.push({
      sql: `(${columns.map((name) => `instr(lower(${name}), lower(?)) > 0`).join(" or ")})`,
      parameters: columns.map(() => search),
    });
  }
  return {
    sql: `where ${conditions.map(({ sql }) => sql).join(" and ")}`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  };
}

function orderBy({ order, descending }: Pick<LogQuery, "order" | "descending">): string {
  const direction = descending ? "desc" : "asc";
  return `order by ${order} ${direction}, seq ${direction}`;
}
