/** The fleet in the database before a run. Reading it has no side effects, so a preview can use it. */
import * as pulumi from "@pulumi/pulumi";
import type { Pool } from "pg";
import { type PoolSnapshot, readPoolSnapshot } from "#database/ai-gateways/pool-snapshot.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { openKysely } from "#database/connection/kysely.ts";
import { openPool } from "#database/connection/pool.ts";
import { type KnownDoor, knownDoors } from "#database/doors/declared-doors.ts";
import { type KnownPartner, knownPartners, type PlatformOwner, platformOwners } from "#database/people/stack-owners.ts";
import { SchemaError } from "#database/schema/error.ts";
import { refuseOtherVersion } from "#database/schema/version.ts";
import { earlierClients, type KnownClient, knownClients } from "#database/tenants/clients.ts";
import { readTenantCounts } from "#database/tenants/tenant-counts.ts";
import { readAccountLimits } from "#database/work/account-limits.ts";
import type { Environment } from "#domain/environment.ts";
import { errorLine } from "#domain/errors/catalogue-error.ts";
import { planErrors } from "#domain/errors/stack/stack-plan.ts";
import type { AccountNeeds, EnvironmentSize } from "#domain/plans/account-limits.ts";

export interface FleetSnapshot extends PoolSnapshot {
  /** Whether there is no database, or none with a platform. */
  empty: boolean;
  /** Whether the database was read; a preview continues without it. */
  read: boolean;
  partners: Readonly<Record<string, KnownPartner>>;
  clients: Readonly<Record<string, KnownClient>>;
  earlierClients: Readonly<Record<string, number>>;
  /** Doors by slug. */
  doors: Readonly<Record<string, readonly KnownDoor[]>>;
  platformOwners: readonly PlatformOwner[];
  /** Size of each deployed environment in the account. */
  tenantCounts: ReadonlyMap<Environment, EnvironmentSize>;
  /** Needs of the platform and its tenants in the account at the last deployment; undefined if the database does not have them. */
  needs: AccountNeeds | undefined;
}

const EMPTY: FleetSnapshot = {
  empty: true,
  read: true,
  pool: [],
  bindings: new Map(),
  partners: {},
  clients: {},
  earlierClients: {},
  doors: {},
  platformOwners: [],
  tenantCounts: new Map(),
  needs: undefined,
};

const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL: undefined_table, invalid_schema_name, invalid_catalog_name. */
const NO_PLATFORM = new Set(["42P01", "3F000", "3D000"]);

/**
 * @param databaseUrl undefined if no platform is deployed
 * @param platform stack of the platform, if it is another one
 * @throws RunError if the database has another version or cannot be read. A preview that cannot read it warns and uses an empty snapshot
 */
export async function readFleetSnapshot(
  databaseUrl: string | undefined,
  environment: Environment,
  platform?: string,
): Promise<FleetSnapshot> {
  if (databaseUrl === undefined) return EMPTY;
  const pool = poolTo(databaseUrl);
  const database = openKysely(pool);
  try {
    await refuseOtherVersion(pool, platform === undefined ? "platform" : "tenants");
    const gateways = await readPoolSnapshot(database, environment);
    return {
      ...gateways,
      empty: false,
      read: true,
      partners: await knownPartners(database, environment),
      clients: await knownClients(database, environment),
      earlierClients: await earlierClients(database, environment),
      doors: await knownDoors(database, environment),
      // A stack of tenants logs in as the provisioner, which has no right to read root users.
      platformOwners: platform === undefined ? await platformOwners(database) : [],
      tenantCounts: await readTenantCounts(database),
      needs: (await readAccountLimits(database, environment))?.needs,
    };
  } catch (error) {
    if (error instanceof SchemaError) throw new pulumi.RunError(error.message);
    const code = (error as { code?: string }).code;
    if (code !== undefined && NO_PLATFORM.has(code)) return EMPTY;
    // A driver's message can contain the connection string.
    const whose = platform === undefined ? "" : ` of ${platform}`;
    const values = { owner: whose, code: code ?? "no answer", place: whose && " there" };
    const fault = errorLine(planErrors.platform_database_unreadable, values);
    if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(fault);
    pulumi.log.warn(`${fault}; this preview plans AI gateways as if it were empty`);
    return { ...EMPTY, read: false };
  } finally {
    await database.destroy();
  }
}

function poolTo(url: string): Pool {
  try {
    return openPool({ connectionString: connectionString(url), max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  } catch {
    throw new pulumi.RunError(errorLine(planErrors.database_url_invalid));
  }
}
