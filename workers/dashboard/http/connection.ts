import type { Hyperdrive } from "@cloudflare/workers-types";
import type { Kysely, Transaction } from "kysely";
import pg from "pg";
import { openKysely } from "#database/connection/kysely.ts";
import type { DB } from "#database/types.ts";
import { type Caller, parseCaller, parseTenantCaller } from "../identity/caller.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;

/** Member that the types of `pg` lack. */
interface OpenClient {
  connection: { stream: { _listen(): Promise<void>; emit(event: "close"): void } };
}

/**
 * Ends the connection when its reading ends. `pg` waits for `closed` of the socket, which workerd may never settle when the server resets the
 * connection during a write: queries would then wait for their timeout.
 */
function closeWithReading(client: pg.Client): void {
  const { stream } = (client as unknown as OpenClient).connection;
  const read = stream._listen.bind(stream);
  stream._listen = () => read().finally(() => stream.emit("close"));
}

/** Origin of a request, for the audit log. */
export interface Origin {
  /** Client address; empty if unknown. */
  source: string;
  requestId: string;
}

/** A login at a tenant. */
export interface TenantLogin {
  slug: string;
  email: string;
  /** Whether the address is of a platform root, who views the tenant. Default: of a user of the tenant */
  isViewer?: boolean | undefined;
  /** Client ID of the service token that acts for the user; undefined for the user. */
  serviceToken?: string | undefined;
}

/** The database is unreachable; the cause is the error of `pg` or the runtime. */
export class DatabaseAway extends Error {
  override name = "DatabaseAway";
}

/**
 * A request's connection to the platform's database over Hyperdrive, and its one transaction. Workers cannot share connections between requests;
 * Hyperdrive has the pool. Role and identity end with the transaction, so that the next request on the server connection has neither.
 */
export class Connection {
  /** Connects with the first query, which throws DatabaseAway after five seconds without a connection. */
  readonly db: Kysely<DB>;
  readonly #client: pg.Client;
  #connecting: Promise<unknown> | undefined;
  #inTransaction = false;
  #mayHaveEffect = false;

  constructor(hyperdrive: Pick<Hyperdrive, "connectionString">) {
    this.#client = new pg.Client({
      connectionString: hyperdrive.connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // Sends concurrent queries without waiting for results.
      pipeline: true,
    });
    closeWithReading(this.#client);
    // A stopped server ends the connection; the running query rejects with the error.
    this.#client.on("error", () => undefined);
    const one = Object.assign(this.#client, { release: () => undefined });
    const connect = () => this.#connect().then(() => one as unknown as pg.PoolClient);
    const pool = { connect, end: async () => undefined };
    this.db = openKysely(pool as unknown as pg.Pool);
  }

  #connect(): Promise<unknown> {
    this.#connecting ??= this.#client.connect().catch((cause: unknown) => {
      throw new DatabaseAway("The database does not accept a connection.", { cause });
    });
    return this.#connecting;
  }

  /**
   * Begins the transaction as the user with that address; `undefined` if there is none, who has no rights in it. Queries after this call run
   * behind it, also without awaiting it.
   */
  async enter(email: string, { source, requestId }: Origin): Promise<Caller | undefined> {
    const found = await this.#enter("enter", [email, source, requestId]);
    return found === null ? undefined : parseCaller(found);
  }

  /** The same as a user of a tenant, or as a viewer, whose transaction is read-only. */
  async enterTenant(
    { slug, email, serviceToken, isViewer = false }: TenantLogin,
    { source, requestId }: Origin,
  ): Promise<Caller | undefined> {
    const found = await this.#enter("enter_tenant", [slug, email, serviceToken, String(isViewer), source, requestId]);
    return found === null ? undefined : parseTenantCaller(found, serviceToken);
  }

  async #enter(routine: string, values: readonly (string | undefined)[]): Promise<unknown> {
    const texts = values.map((value) => (value === undefined ? "null" : pg.escapeLiteral(value)));
    this.#inTransaction = true;
    // In one message, because a pooler doubles each round trip.
    const asked: Promise<unknown> = this.#client.query(
      `begin; select dashboard.${routine}(${texts.join(", ")}) as caller`,
    );
    const [, results] = await Promise.all([this.#connect(), asked]);
    const [, entered] = results as [pg.QueryResult, pg.QueryResult<{ caller: unknown }>];
    return entered.rows[0]?.caller ?? null;
  }

  async commit(): Promise<void> {
    this.#mayHaveEffect ||= this.#inTransaction;
    await this.#end("commit");
  }

  /** Marks the request as one that has effects outside of the database. */
  actOutside(): void {
    this.#mayHaveEffect = true;
  }

  /** Whether the request has effects outside, or its commit was sent, which may have been lost with the connection. */
  get mayHaveEffect(): boolean {
    return this.#mayHaveEffect;
  }

  async rollback(): Promise<void> {
    await this.#end("rollback");
  }

  async #end(how: "commit" | "rollback"): Promise<void> {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    await this.#client.query(how);
  }

  /** Closes the connection and rolls back an open transaction. */
  async close(): Promise<void> {
    await this.#connecting?.then(
      () => this.#client.end(),
      () => undefined,
    );
  }
}

/** A handler's `db` is always a transaction. */
export const inTransaction = (db: Kysely<DB>) => db as Transaction<DB>;
