/** The gateways' logs on disk: a bounded number of entries each, and the bodies of the newest. */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import * as z from "zod";
import type { DlpReport } from "../dlp/dlp.ts";
import type { LogEntry, Payloads } from "./log-entry.ts";
import { conditionOf, type LogFilter } from "./log-filter.ts";

/** Entries of a gateway; the vendor keeps millions. */
const MOST_ENTRIES = 10_000;
/** Entries of a gateway whose bodies are kept. */
const MOST_PAYLOADS = 1_000;
/** Characters of a body that are kept. */
const MOST_CHARACTERS = 64_000;

export type LogOrder =
  | "created_at"
  | "provider"
  | "model"
  | "success"
  | "cached"
  | "cost"
  | "tokens_in"
  | "tokens_out"
  | "duration";

export interface LogQuery {
  filters: readonly LogFilter[];
  /** Text that stands in metadata, model, provider or path. */
  search?: string;
  order: LogOrder;
  descending: boolean;
  offset: number;
  limit: number;
}

/** How many entries there may be, and what happens then. */
export interface Retention {
  most?: number | null | undefined;
  /** Default: DELETE_OLDEST. */
  strategy?: "STOP_INSERTING" | "DELETE_OLDEST" | null | undefined;
}

/** An entry, and what is known of its bodies. */
export type StoredEntry = LogEntry & { request?: StoredBody; response?: StoredBody };
export interface StoredBody {
  /** The whole, or its beginning. */
  text: string;
  /** Characters of the whole. */
  size: number;
}

const COLUMNS = `id, created_at, duration, provider, model, path, success, cached, status_code, tokens_in, tokens_out, cost,
  custom_cost, metadata, request_content_type, response_content_type, step, dlp`;

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

  /** @param payloads bodies to keep with it. Default: none */
  add(gateway: string, entry: LogEntry, payloads?: Payloads, { most, strategy }: Retention = {}): void {
    // Streams that the edge's end cuts are over when their log is.
    if (!this.#database.isOpen) return;
    const limit = Math.min(most ?? MOST_ENTRIES, MOST_ENTRIES);
    if (strategy === "STOP_INSERTING" && this.count(gateway, []) >= limit) return;
    this.#database
      .prepare(
        `insert into logs (gateway, ${COLUMNS}, request, request_size, response, response_size)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        gateway,
        entry.id,
        entry.created_at,
        entry.duration,
        entry.provider,
        entry.model,
        entry.path,
        Number(entry.success),
        Number(entry.cached),
        entry.status_code,
        entry.tokens_in,
        entry.tokens_out,
        entry.cost,
        Number(entry.custom_cost),
        JSON.stringify(entry.metadata),
        entry.request_content_type,
        entry.response_content_type,
        entry.step,
        entry.dlp === undefined ? null : JSON.stringify(entry.dlp),
        payloads?.request.slice(0, MOST_CHARACTERS) ?? null,
        payloads?.request.length ?? null,
        payloads?.response.slice(0, MOST_CHARACTERS) ?? null,
        payloads?.response.length ?? null,
      );
    const before = (count: number) =>
      `seq <= (select seq from logs where gateway = ? order by seq desc limit 1 offset ${count})`;
    this.#database.prepare(`delete from logs where gateway = ? and ${before(limit)}`).run(gateway, gateway);
    this.#database
      .prepare(
        `update logs set request = null, response = null
         where gateway = ? and request is not null and ${before(MOST_PAYLOADS)}`,
      )
      .run(gateway, gateway);
  }

  list(gateway: string, query: LogQuery): LogEntry[] {
    const { sql, parameters } = where(gateway, query.filters, query.search);
    return this.#database
      .prepare(`select ${COLUMNS} from logs ${sql} ${ordered(query)} limit ? offset ?`)
      .all(...parameters, query.limit, query.offset)
      .map(entryOf);
  }

  count(gateway: string, filters: readonly LogFilter[], search?: string): number {
    const { sql, parameters } = where(gateway, filters, search);
    return Number(this.#database.prepare(`select count(*) as count from logs ${sql}`).get(...parameters)?.count);
  }

  /** Least and most of what can be counted, among the entries that fit; null where there are none. */
  ranges(gateway: string, filters: readonly LogFilter[], search?: string): Record<string, number | null> {
    const { sql, parameters } = where(gateway, filters, search);
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
    const body = (text: SQLOutputValue | undefined, size: SQLOutputValue | undefined): StoredBody | undefined =>
      typeof text === "string" ? { text, size: Number(size) } : undefined;
    const request = body(row.request, row.request_size);
    const response = body(row.response, row.response_size);
    return { ...entryOf(row), ...(request && { request }), ...(response && { response }) };
  }

  /** Removes what `query` would list. */
  remove(gateway: string, query: Omit<LogQuery, "offset" | "search">): void {
    const { sql, parameters } = where(gateway, query.filters);
    this.#database
      .prepare(`delete from logs where seq in (select seq from logs ${sql} ${ordered(query)} limit ?)`)
      .run(...parameters, query.limit);
  }

  forget(gateway: string): void {
    this.#database.prepare("delete from logs where gateway = ?").run(gateway);
  }
}

function where(gateway: string, filters: readonly LogFilter[], search?: string) {
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

function ordered({ order, descending }: Pick<LogQuery, "order" | "descending">): string {
  const direction = descending ? "desc" : "asc";
  return `order by ${order} ${direction}, seq ${direction}`;
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);

function entryOf(row: Record<string, SQLOutputValue>): LogEntry {
  return {
    id: String(row.id),
    created_at: String(row.created_at),
    duration: Number(row.duration),
    provider: String(row.provider),
    model: String(row.model),
    path: String(row.path),
    success: row.success === 1,
    cached: row.cached === 1,
    status_code: Number(row.status_code),
    tokens_in: Number(row.tokens_in),
    tokens_out: Number(row.tokens_out),
    cost: Number(row.cost),
    custom_cost: row.custom_cost === 1,
    metadata: z.record(z.string(), scalar).parse(JSON.parse(String(row.metadata))),
    request_content_type: String(row.request_content_type),
    response_content_type: String(row.response_content_type),
    step: Number(row.step),
    ...(typeof row.dlp === "string" && { dlp: JSON.parse(row.dlp) as DlpReport }),
  };
}
