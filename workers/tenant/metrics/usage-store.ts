/** Stores the usage meter's counts in the supervisor's own database. */
import * as z from "zod";
import { METRIC_UNITS, type Measurement } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import type { SqlStore } from "../storage.ts";
import { type SeriesState, seriesState } from "./series.ts";

/** The last known counters of one wake period of the container. */
const counters = z.object({ uptimeMs: z.number(), activeMs: z.number(), webSocketSessions: z.number() });
export type Counters = z.infer<typeof counters>;

const pendingRow = z.object({
  key: z.string(),
  value: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
});
const pendingKey = z.object({
  metric: z.enum(Object.keys(METRIC_UNITS) as [Measurement["metric"], ...Measurement["metric"][]]),
  dimensions: z.record(z.string(), z.string()),
});

/** Stored wake periods, so that late counters of an earlier one are not counted again. */
const MAX_WAKES = 8;
export const MAX_SERIES = 2_000;
/** A series may be dropped after this long without a report, in milliseconds. */
export const SERIES_AGE_MS = 24 * 3600 * 1000;

/** When the storage was created. */
const CREATED_MARK = "created";

export class UsageStore {
  readonly #storage: SqlStore;

  constructor(storage: SqlStore) {
    this.#storage = storage;
    const isNew = this.#first("select 1 from sqlite_master where name = 'usage_marks'") === undefined;
    for (const table of [
      "usage_series (id text primary key, state text not null, seen_at integer not null)",
      "usage_wakes (wake text primary key, counters text not null, seen_at integer not null)",
      "usage_pending (key text primary key, value real not null, input_tokens real not null, output_tokens real not null)",
      "usage_ai_queries (id text primary key, at integer not null)",
      "usage_marks (name text primary key, value text not null)",
      "usage_spending (day text primary key, micros integer not null)",
    ])
      storage.sql.exec(`create table if not exists ${table}`);
    storage.sql.exec("create index if not exists usage_ai_queries_by_time on usage_ai_queries (at)");
    if (isNew) this.setMark(CREATED_MARK, String(Date.now()));
  }

  /** When this storage was created, in milliseconds since the epoch; 0 where an earlier version created it. */
  get createdAt(): number {
    return Number(this.mark(CREATED_MARK) ?? 0);
  }

  /** Runs `work` in a transaction. */
  atomically<T>(work: () => T): T {
    return this.#storage.transactionSync(work);
  }

  series(id: string): SeriesState | undefined {
    const state = this.#first("select state from usage_series where id = ?", id)?.state;
    return typeof state === "string" ? seriesState.parse(JSON.parse(state)) : undefined;
  }

  /** Whether one more series can be stored. Drops old series if necessary. @param now milliseconds since the epoch */
  hasRoom(now: number): boolean {
    if (this.#count() < MAX_SERIES) return true;
    this.#run("delete from usage_series where seen_at <= ?", now - SERIES_AGE_MS);
    return this.#count() < MAX_SERIES;
  }

  setSeries(id: string, state: SeriesState, now: number): void {
    this.#run("insert or replace into usage_series values (?, ?, ?)", id, JSON.stringify(state), now);
  }

  counters(wake: string): Counters | undefined {
    const text = this.#first("select counters from usage_wakes where wake = ?", wake)?.counters;
    return typeof text === "string" ? counters.parse(JSON.parse(text)) : undefined;
  }

  setCounters(wake: string, seen: Counters, now: number): void {
    this.#run("insert or replace into usage_wakes values (?, ?, ?)", wake, JSON.stringify(seen), now);
    this.#run(
      "delete from usage_wakes where wake not in (select wake from usage_wakes order by seen_at desc, rowid desc limit ?)",
      MAX_WAKES,
    );
  }

  /** Stores a query of the AI gateway's log. @param at when it began, in milliseconds since the epoch @returns whether it is new */
  addQuery(id: string, at: number): boolean {
    if (this.#first("select 1 from usage_ai_queries where id = ?", id) !== undefined) return false;
    this.#run("insert into usage_ai_queries values (?, ?)", id, at);
    return true;
  }

  /** Forgets queries that began before `at`, in milliseconds since the epoch. */
  forgetQueries(at: number): void {
    this.#run("delete from usage_ai_queries where at < ?", at);
  }

  /** Adds spending to a UTC day. */
  addSpending(day: string, micros: number): void {
    this.#run(
      "insert into usage_spending values (?, ?) on conflict (day) do update set micros = micros + excluded.micros",
      day,
      micros,
    );
  }

  /** Stores the spending of a UTC day, unless more is known. */
  raiseSpending(day: string, micros: number): void {
    this.#run(
      "insert into usage_spending values (?, ?) on conflict (day) do update set micros = max(micros, excluded.micros)",
      day,
      micros,
    );
  }

  /** Returns the spending since a UTC day, and forgets earlier days. */
  spentSince(day: string): number {
    this.#run("delete from usage_spending where day < ?", day);
    return z.number().parse(this.#first("select coalesce(sum(micros), 0) as sum from usage_spending")?.sum);
  }

  mark(name: string): string | undefined {
    const value = this.#first("select value from usage_marks where name = ?", name)?.value;
    return typeof value === "string" ? value : undefined;
  }

  setMark(name: string, value: string): void {
    this.#run("insert or replace into usage_marks values (?, ?)", name, value);
  }

  /** Adds a measurement to the pending ones. Measurements with the same dimensions are summed. */
  add({ metric, dimensions, value, inputTokens = 0, outputTokens = 0 }: Measurement): void {
    const named = Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1));
    this.#run(
      `insert into usage_pending values (?, ?, ?, ?) on conflict (key) do update set value = value + excluded.value,
         input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens`,
      JSON.stringify({ metric, dimensions: Object.fromEntries(named) }),
      value,
      inputTokens,
      outputTokens,
    );
  }

  /** Returns up to `limit` pending measurements, oldest first. */
  pending(limit: number): { key: string; measurement: Measurement }[] {
    return this.#storage.sql
      .exec("select * from usage_pending order by rowid limit ?", limit)
      .toArray()
      .map((row) => {
        const { key, value, input_tokens: inputTokens, output_tokens: outputTokens } = pendingRow.parse(row);
        return { key, measurement: { ...pendingKey.parse(JSON.parse(key)), value, inputTokens, outputTokens } };
      });
  }

  removePending(key: string): void {
    this.#run("delete from usage_pending where key = ?", key);
  }

  #count(): number {
    return z.number().parse(this.#first("select count(*) as count from usage_series")?.count);
  }

  #first(query: string, ...bindings: (string | number)[]): Record<string, unknown> | undefined {
    return this.#storage.sql.exec(query, ...bindings).toArray()[0];
  }

  #run(query: string, ...bindings: (string | number)[]): void {
    this.#storage.sql.exec(query, ...bindings).toArray();
  }
}
