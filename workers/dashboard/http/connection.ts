/** A request's own connection to the platform's database, over Hyperdrive, and its one transaction. */
import type { Hyperdrive } from "@cloudflare/workers-types";
import type { Kysely, Transaction } from "kysely";
import pg from "pg";
import { openKysely } from "#database/connection/kysely.ts";
import type { DB } from "#database/types.ts";
import { type Caller, parseCaller } from "../identity/caller.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;

/** What the audit tells of a request beside its caller. */
export interface Origin {
  /** Address that it came from; empty when unknown. */
  source: string;
  requestId: string;
}

/** There is no connection to the database to be had; the cause is what `pg` or the runtime says. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
}

/**
 * A Worker may not share a connection between requests; Hyperdrive keeps the pool. A role and an identity that are taken end with their
 * transaction, so that the next request on the same server connection has neither.
 */
export class Connection {
  /** Connects when it is first asked. @throws DatabaseAway then when the database does not answer in five seconds */
  readonly db: Kysely<DB>;
  readonly #client: pg.Client;
  #connecting: Promise<unknown> | undefined;
  #inTransaction = false;

  constructor(hyperdrive: Pick<Hyperdrive, "connectionString">) {
    this.#client = new pg.Client({
      connectionString: hyperdrive.connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // What is asked at once goes out at once.
      pipeline: true,
    });
    // A server that stops ends the connection; the query under way says so.
    this.#client.on("error", () => undefined);
    const one = Object.assign(this.#client, { release: () => undefined });
    const connect = () => this.#connect().then(() => one as unknown as pg.PoolClient);
    const pool = { connect, end: async () => undefined };
    this.db = openKysely(pool as unknown as pg.Pool);
  }

  #connect(): Promise<unknown> {
    this.#connecting ??= this.#client.connect().catch((cause: unknown) => {
      throw new DatabaseAway("The database takes no connection.", { cause });
    });
    return this.#connecting;
  }

  /**
   * Begins the transaction as whom the address belongs to; undefined for no user of the dashboard, who may ask for nothing in it. Whatever is
   * asked from the call on comes behind it, though its answer is not waited for.
   */
  async enter(email: string, { source, requestId }: Origin): Promise<Caller | undefined> {
    const [by, from, id] = [email, source, requestId].map((text) => pg.escapeLiteral(text));
    this.#inTransaction = true;
    // In one message: each round trip counts twice behind a pooler.
    const asked: Promise<unknown> = this.#client.query(
      `begin; select dashboard.enter(${by}, ${from}, ${id}) as caller`,
    );
    const [, results] = await Promise.all([this.#connect(), asked]);
    const [, entered] = results as [pg.QueryResult, pg.QueryResult<{ caller: unknown }>];
    const caller = entered.rows[0]?.caller ?? null;
    return caller === null ? undefined : parseCaller(caller);
  }

  /** Ends the transaction, if there is one. */
  async commit(): Promise<void> {
    await this.#end("commit");
  }

  async rollback(): Promise<void> {
    await this.#end("rollback");
  }

  async #end(how: "commit" | "rollback"): Promise<void> {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    await this.#client.query(how);
  }

  /** Ends it; what is not committed is rolled back. */
  async close(): Promise<void> {
    await this.#connecting?.then(
      () => this.#client.end(),
      () => undefined,
    );
  }
}

/** The request's own transaction: that is all that a handler's `db` ever is. */
export const inTransaction = (db: Kysely<DB>) => db as Transaction<DB>;
