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
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetHandoverErrors as errors } from "#domain/errors/commands/fleet-handover.ts";
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
      const fault = asSentence(error.message);
      throw new CatalogueError(
        errors.handover_platform_unreadable,
        { platform: platformStack, fault },
        { cause: error },
      );
    });
    // The connection holds the lock, so it must not be closed when idle.
    const pool = { max: 1, idleTimeoutMillis: 0, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
    const db = openKysely(openPool({ connectionString: connectionString(url), ...pool }));
    try {
      if (!(await tryLockHandover(db, environment, slug))) {
        throw new CatalogueError(errors.handover_in_progress, { slug });
      }
      const rows = await findTenantRows(db, environment, slug);
      if (rows === undefined) throw new CatalogueError(errors.handover_client_not_found, { slug, environment });
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
      throw new CatalogueError(errors.handover_image_not_listed, { image: deployed?.image ?? "" });
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

const clientDeleted = (slug: string) => new CatalogueError(errors.handover_client_deleted, { slug });

function refuseOpenJob(slug: string, [job]: readonly OpenJob[]): void {
  if (job === undefined) return;
  const { kind, id, status } = job;
  throw new CatalogueError(errors.handover_operation_open, { slug, kind, job: id, status });
}

/** Returns the short name of the stack that owns a row. */
export function owningStack(owner: string | null): string | undefined {
  const stack = owner === null ? undefined : stackOf(owner);
  return stack && stackName(stack);
}

export async function deployStack(
  { slug, signal, say, memoryMib, variables }: HandoverOptions,
  order: Omit<StackOrder, "operation">,
  incomplete: typeof errors.adoption_incomplete | typeof errors.release_incomplete,
): Promise<void> {
  try {
    const runs = new EngineRuns({ memoryMib, variables });
    await runs.run({ ...order, operation: "up" }, { onRecovered: say, signal });
  } catch (error) {
    throw new CatalogueError(incomplete, { slug, cause: failureText(error) }, { cause: error });
  }
}
