/** A request's own connection to the platform's database, over Hyperdrive, and its one transaction. */
import type { Hyperdrive } from "@cloudflare/workers-types";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { DB } from "../../../database/types.ts";
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
  readonly db: Kysely<DB>;
  readonly #client: pg.Client;
  #open = false;

  private constructor(client: pg.Client) {
    this.#client = client;
    const one = Object.assign(client, { release: () => undefined });
    const pool = { connect: async () => one as unknown as pg.PoolClient, end: async () => undefined };
    this.db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) });
  }

  /** @throws DatabaseAway when the database does not answer in five seconds */
  static async open(hyperdrive: Pick<Hyperdrive, "connectionString">): Promise<Connection> {
    const client = new pg.Client({
      connectionString: hyperdrive.connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    // A server that stops ends the connection; the query under way says so.
    client.on("error", () => undefined);
    await client.connect().catch((cause: unknown) => {
      throw new DatabaseAway("The database takes no connection.", { cause });
    });
    return new Connection(client);
  }

  /** Begins the transaction as whom the address belongs to; undefined for no user of the dashboard, who has none. */
  async enter(email: string, { source, requestId }: Origin): Promise<Caller | undefined> {
    const [by, from, id] = [email, source, requestId].map((text) => pg.escapeLiteral(text));
    // In one message: each round trip counts twice behind a pooler.
    const results: unknown = await this.#client.query(`begin; select dashboard.enter(${by}, ${from}, ${id}) as caller`);
    this.#open = true;
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
    if (!this.#open) return;
    this.#open = false;
    await this.#client.query(how);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}
