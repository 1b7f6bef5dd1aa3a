/** One tenant while it is handed over: its rows, and nobody else who hands it over at the same time. */
import type { Kysely } from "kysely";
import type pg from "pg";
import type { EngineVariables } from "#automation/engine/command-line.ts";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import {
  beginHandOver,
  changeTenantRows,
  type Deployed,
  findTenantRows,
  type Manager,
  type OpenJob,
  setManager,
  setOwningStack,
  type TenantChange,
  type TenantRows,
} from "#database/tenants/hand-over.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";

const CONNECT_TIMEOUT_MS = 10_000;

export interface HandOverArgs {
  slug: string;
  environment: Environment;
  /** Stack that holds the platform, whose output tells where the database is. */
  platformStack: string;
  /** Of the engine: where states are and how they are entered. */
  variables: EngineVariables;
}

export class HandOver {
  readonly #db: Kysely<DB>;
  readonly #tenant: Pick<TenantRows, "clientId" | "environment" | "slug">;
  /** As they were found. */
  readonly rows: TenantRows;

  private constructor(db: Kysely<DB>, rows: TenantRows) {
    this.#db = db;
    this.#tenant = rows;
    this.rows = rows;
  }

  /** @throws Error with one sentence where the database has no such client, or somebody else hands it over */
  static async begin({ slug, environment, platformStack, variables }: HandOverArgs): Promise<HandOver> {
    const url = await secretOutput(qualifiedStack(platformStack), "databaseUrl", variables).catch((error: Error) => {
      throw new Error(`The database of the platform ${platformStack} is not known: ${error.message}`);
    });
    const db = openKysely(oneConnection(url));
    try {
      if (!(await beginHandOver(db, environment, slug))) {
        throw new Error(`Another hand-over of ${slug} is under way; wait for its end.`);
      }
      const rows = await findTenantRows(db, environment, slug);
      if (rows === undefined) throw new Error(`The database has no client ${slug} in ${environment}.`);
      return new HandOver(db, rows);
    } catch (error) {
      await db.destroy();
      throw error;
    }
  }

  /**
   * Says who manages the tenant from now on, once nothing is under way.
   *
   * @param check sees the rows as they stay until that is said; what it throws keeps it from being said
   * @param deployed what the rows are to say besides. Default: what they say
   * @throws Error with one sentence, naming the operation that is under way
   */
  async setManager(
    managedBy: Manager,
    check: (rows: TenantRows) => void = () => {},
    deployed?: Deployed,
  ): Promise<void> {
    await this.#change(async (tx, rows, open) => {
      refuseUnderWay(rows.slug, open);
      check(rows);
      if (await setManager(tx, rows, managedBy, deployed)) return;
      throw new Error(`The dashboard's catalogue has no image ${deployed?.image}: add it there first (POST /images).`);
    });
  }

  /** Has another stack own the tenant's rows from now on. @param stack `{project}/{stack}` @throws Error as `setManager` does */
  async setStack(stack: string, check: (rows: TenantRows) => void): Promise<void> {
    await this.#change(async (tx, rows, open) => {
      refuseUnderWay(rows.slug, open);
      check(rows);
      await setOwningStack(tx, rows, stack);
    });
  }

  /** The rows as they are. */
  async now(): Promise<TenantRows> {
    const { environment, slug } = this.#tenant;
    const rows = await findTenantRows(this.#db, environment, slug);
    if (rows === undefined) throw new Error(`The client ${slug} was deleted meanwhile.`);
    return rows;
  }

  /** Lets others hand it over. */
  async end(): Promise<void> {
    await this.#db.destroy();
  }

  async #change(change: TenantChange): Promise<void> {
    if (!(await changeTenantRows(this.#db, this.#tenant, change))) {
      throw new Error(`The client ${this.#tenant.slug} was deleted meanwhile.`);
    }
  }
}

function refuseUnderWay(slug: string, open: readonly OpenJob[]): void {
  const [job] = open;
  if (job === undefined) return;
  throw new Error(
    `An operation on ${slug} is under way: ${job.kind} (${job.id}, ${job.status}). Wait for its end, or cancel it at the dashboard.`,
  );
}

/** The lock is the connection's, which therefore stays. */
function oneConnection(url: string): pg.Pool {
  return openPool({
    connectionString: connectionString(url),
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
}
