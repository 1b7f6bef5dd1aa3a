/** What the container reached, in the supervisor's own database. */
import * as z from "zod";
import { type EgressHost, egressRefusals } from "#domain/egress/policy-types.ts";
import type { SqlStore } from "../storage.ts";
import type { HostCount } from "./host-counts.ts";

const MAX_ROWS = 2_000;

const COLUMNS = "host, port, program, requests, refused, sent_bytes, received_bytes, first_at, last_at, reason";

const time = z.number().transform((at) => new Date(at).toISOString());

const row = z
  .object({
    host: z.string(),
    port: z.number(),
    program: z.string(),
    requests: z.number(),
    refused: z.number(),
    sent_bytes: z.number(),
    received_bytes: z.number(),
    first_at: time,
    last_at: time,
    // A later version may know other reasons.
    reason: z.enum(egressRefusals).nullable().catch(null),
  })
  .transform(
    (found): EgressHost => ({
      host: found.host,
      port: found.port,
      program: found.program === "" ? null : found.program,
      requests: found.requests,
      refused: found.refused,
      sentBytes: found.sent_bytes,
      receivedBytes: found.received_bytes,
      firstAt: found.first_at,
      lastAt: found.last_at,
      reason: found.reason,
    }),
  );

export class HostStore {
  readonly #storage: SqlStore;
  #rows: number;

  constructor(storage: SqlStore) {
    this.#storage = storage;
    // The key is in a column of its own: null is not equal to null.
    storage.sql.exec(
      `create table if not exists egress_hosts (
         host text not null, port integer not null, program text not null, requests integer not null, refused integer not null,
         sent_bytes integer not null, received_bytes integer not null, first_at integer not null, last_at integer not null, reason text,
         primary key (host, port, program))`,
    );
    storage.sql.exec("create index if not exists egress_hosts_by_time on egress_hosts (last_at)");
    this.#rows = Number(storage.sql.exec("select count(*) as rows from egress_hosts").toArray()[0]?.rows);
  }

  /** Adds counts. Beyond 2,000 rows, drops those with the least recent request. */
  add(counts: readonly HostCount[]): void {
    this.#rows = this.#storage.transactionSync(() => {
      const rows = this.#rows + counts.filter((count) => this.#add(count)).length;
      const surplus = Math.max(0, rows - MAX_ROWS);
      if (surplus > 0) {
        const least = "select rowid from egress_hosts order by last_at limit ?";
        this.#storage.sql.exec(`delete from egress_hosts where rowid in (${least})`, surplus);
      }
      return rows - surplus;
    });
  }

  /** Returns all rows, those with the most recent request first. */
  list(): EgressHost[] {
    const found = this.#storage.sql.exec(`select ${COLUMNS} from egress_hosts order by last_at desc`).toArray();
    return found.map((values) => row.parse(values));
  }

  /** @returns whether the row is new */
  #add({ host, port, program, requests, refused, sentBytes, receivedBytes, at, reason }: HostCount): boolean {
    const { sql } = this.#storage;
    const key = [host, port, program ?? ""] as const;
    const isKnown = sql
      .exec("select 1 from egress_hosts where host = ? and port = ? and program = ?", ...key)
      .toArray();
    sql.exec(
      `insert into egress_hosts (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (host, port, program) do update set requests = requests + excluded.requests, refused = refused + excluded.refused,
         sent_bytes = sent_bytes + excluded.sent_bytes, received_bytes = received_bytes + excluded.received_bytes,
         last_at = max(last_at, excluded.last_at), reason = coalesce(excluded.reason, reason)`,
      ...[...key, requests, refused, sentBytes, receivedBytes, at, at, reason],
    );
    return isKnown.length === 0;
  }
}
