/** Handover of one tenant: its rows, locked against other handovers of it. */
import type { Kysely } from "kysely";
import type { StackOrder } from "#automation/engine/order.ts";
import { EngineRuns } from "#automation/engine/runs.ts";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { qualifiedStack } from "#automation/engine/state/scratch-backend.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import {
  changeTenantRows,
  type Deployed,
  findTenantRows,
  type OpenJob,
  setManager,
  setOwningStack,
  type TenantChange,
  type TenantRows,
  tryLockHandover,
} from "#database/tenants/handover.ts";
import type { DB } from "#database/types.ts";
import type { Manager } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { stackName, stackOf } from "#domain/tenants/owner.ts";
import { failureText } from "../failure.ts";
import type { FleetOptions } from "../options.ts";

const CONNECT_TIMEOUT_MS = 10_000;

export interface HandoverOptions extends FleetOptions {
  slug: string;
  environment: Environment;
  /** Absolute path of the directory of the stacks' files. */
  directory: string;
}

interface HandoverArgs extends Pick<HandoverOptions, "slug" | "environment" | "variables"> {
  platformStack: string;
}

export class Handover {
  readonly #db: Kysely<DB>;
  readonly #tenant: Pick<TenantRows, "clientId" | "environment" | "slug">;
  readonly rows: TenantRows;

  private constructor(db: Kysely<DB>, rows: TenantRows) {
    this.#db = db;
    this.#tenant = rows;
    this.rows = rows;
  }

  /** @throws Error if the database does not have the client, or another handover of it is under way */
  static async begin({ slug, environment, platformStack, variables }: HandoverArgs): Promise<Handover> {
    const url = await secretOutput(qualifiedStack(platformStack), "databaseUrl", variables).catch((error: Error) => {
      throw new Error(`Failed to read the database URL of the platform ${platformStack}: ${error.message}`);
    });
    // The connection holds the lock, so it must not be closed when idle.
    const pool = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
    const db = openKysely(openPool({ connectionString: connectionString(url), ...pool }));
    try {
      if (!(await tryLockHandover(db, environment, slug))) {
        throw new Error(`Another handover of ${slug} is under way. Wait until it ends.`);
      }
      const rows = await findTenantRows(db, environment, slug);
      if (rows === undefined) throw new Error(`The database has no client ${slug} in ${environment}.`);
      return new Handover(db, rows);
    } catch (error) {
      await db.destroy();
      throw error;
    }
  }

  /** @param check throws if the locked rows do not allow it @throws Error if an operation on the tenant is under way */
  async setManager(
    managedBy: Manager,
    check: (rows: TenantRows) => void = () => {},
    deployed?: Deployed,
  ): Promise<void> {
    await this.#change(async (tx, rows, open) => {
      refuseOpenJob(rows.slug, open);
      check(rows);
      if (await setManager(tx, rows, managedBy, deployed)) return;
      throw new Error(`The dashboard's catalogue has no image ${deployed?.image}. Add it first (POST /images).`);
    });
  }

  /** Sets the stack that owns the tenant's rows. @param stack `{project}/{stack}` @throws Error as `setManager` does */
  async setStack(stack: string, check: (rows: TenantRows) => void): Promise<void> {
    await this.#change(async (tx, rows, open) => {
      refuseOpenJob(rows.slug, open);
      check(rows);
      await setOwningStack(tx, rows, stack);
    });
  }

  async currentRows(): Promise<TenantRows> {
    const { environment, slug } = this.#tenant;
    const rows = await findTenantRows(this.#db, environment, slug);
    if (rows === undefined) throw clientDeleted(slug);
    return rows;
  }

  async end(): Promise<void> {
    await this.#db.destroy();
  }

  async #change(change: TenantChange): Promise<void> {
    if (!(await changeTenantRows(this.#db, this.#tenant, change))) throw clientDeleted(this.#tenant.slug);
  }
}

const clientDeleted = (slug: string) => new Error(`The client ${slug} was deleted during the handover.`);

function refuseOpenJob(slug: string, [job]: readonly OpenJob[]): void {
  if (job === undefined) return;
  throw new Error(
    `An operation on ${slug} is under way: ${job.kind} (${job.id}, ${job.status}). Wait until it ends, or cancel it in the dashboard.`,
  );
}

/** Returns the short name of the stack that owns a row. */
export function owningStack(owner: string | null): string | undefined {
  const stack = owner === null ? undefined : stackOf(owner);
  return stack && stackName(stack);
}

export async function deployStack(
  { signal, say, memoryMib, variables }: HandoverOptions,
  order: Omit<StackOrder, "operation">,
  retry: string,
): Promise<void> {
  try {
    const runs = new EngineRuns({ memoryMib, variables });
    await runs.run({ ...order, operation: "up" }, { onRecovered: say, signal });
  } catch (error) {
    throw new Error(`${failureText(error)}\n${retry}`, { cause: error });
  }
}
