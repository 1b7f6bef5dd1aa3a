/** Upgrades a database to this version's schema: migrations, routines, rights and version record, in one transaction. */
import pg from "pg";
import { COMPATIBLE_FROM, RELEASE, SCHEMA_RELEASE } from "#domain/release.ts";
import { SCHEMAS } from "../callers/grants.ts";
import { connectionString } from "../connection/connection-string.ts";
import { adopt01 } from "./apply/adopt-0-1.ts";
import { lockTables, TablesBusy } from "./apply/lock-tables.ts";
import { applyPlans } from "./apply/plans.ts";
import { applyRights } from "./apply/rights.ts";
import { applyRoutines, isTransient } from "./apply/routines.ts";
import { makeBookkeeping, type Queryable } from "./bookkeeping.ts";
import { SchemaError } from "./error.ts";
import { type Migration, readSchemaSource, type SchemaSource } from "./source.ts";
import { refuseOtherVersion } from "./version.ts";

interface Upgrade {
  migration: string;
  migrated: string[];
  routines: string[];
}

/** Advisory lock of concurrent upgrades by several environments; version 0.1.0 uses the same one. */
const LOCK = "tenantry migrations tenantry.schema_migrations";
const ATTEMPTS = 40;
const PAUSE_MS = 250;
const CONNECT_MS = 60_000;
const HEALTH_DAYS = 7;

/**
 * @param url of the database's owner
 * @param roles that must exist, such as the queue's. Default: none
 * @throws SchemaError for a fault of the files or the database, which stays unchanged
 */
export async function upgradeSchema(
  url: string,
  { source = readSchemaSource(), roles = [] }: { source?: SchemaSource; roles?: readonly string[] } = {},
): Promise<Upgrade> {
  const client = new pg.Client({ connectionString: connectionString(url), connectionTimeoutMillis: CONNECT_MS });
  // The current statement reports a lost connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await inTransaction(client, () => upgrade(client, source, roles));
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (attempt === ATTEMPTS) throw stillBusy(error);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  } finally {
    await client.end();
  }
}

/** The upgrade retries, so that the platform's requests take precedence. */
const isBusy = (error: unknown) =>
  error instanceof TablesBusy || (isTransient(error) && !String((error as { code?: string }).code).startsWith("57P"));

const stillBusy = (cause: unknown) =>
  new SchemaError(
    "The tables of the database stayed in use, so the upgrade could not lock them. End long transactions (pg_stat_activity), and deploy again. Nothing was changed.",
    { cause },
  );

async function inTransaction<T>(client: Queryable, task: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await task();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function upgrade(client: Queryable, source: SchemaSource, roles: readonly string[]): Promise<Upgrade> {
  await client.query("select pg_advisory_xact_lock(hashtext($1))", [LOCK]);
  await client.query("set local search_path = ''");
  await refuseMissing(client, roles);
  await refuseOtherVersion(client, "platform");
  await lockTables(client, source);
  const is01 = await adopt01(client);
  await makeBookkeeping(client);
  if (is01) await recordMigration(client, source.migrations[0]);
  const migrated = await runMigrations(client, source.migrations);
  await applyPlans(client, source);
  const { applied, removed } = await applyRoutines(client, source.routines);
  await applyRights(client);
  await client.query("select tenantry.prepare_health_partitions($1)", [HEALTH_DAYS]);
  await client.query(
    `insert into tenantry.schema_version (version, compatible_from) values ($1, $2)
     on conflict (singleton) do update set version = excluded.version, compatible_from = excluded.compatible_from, applied_at = now()
     where (schema_version.version, schema_version.compatible_from) <> (excluded.version, excluded.compatible_from)`,
    [SCHEMA_RELEASE, COMPATIBLE_FROM],
  );
  return { migration: source.migrations.at(-1)?.number ?? "", migrated, routines: [...applied, ...removed] };
}

async function refuseMissing(client: Queryable, roles: readonly string[]): Promise<void> {
  const found = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where not exists (select from pg_roles where rolname = name)
     union all
     select 'schema ' || name from unnest($2::text[]) as name where to_regnamespace(name) is null`,
    [[...roles], [...SCHEMAS]],
  );
  if (found.rows.length === 0) return;
  const names = found.rows.map(({ name }) => (name.startsWith("schema ") ? name : `role ${name}`)).join(", ");
  throw new SchemaError(
    `The database lacks ${names}, which the platform's stack creates. Run \`pulumi refresh\`, then \`pulumi up\`. Nothing was changed.`,
  );
}

async function runMigrations(client: Queryable, migrations: readonly Migration[]): Promise<string[]> {
  const { rows } = await client.query<{ number: string; name: string; checksum: string }>(
    "select number, name, checksum from tenantry.migrations order by number",
  );
  for (const { number, name, checksum } of rows) {
    const file = migrations.find((migration) => migration.number === number);
    if (file === undefined) {
      throw new SchemaError(
        `The database has the migration ${number}_${name}, which this checkout of version ${RELEASE} lacks. Deploy a checkout that has it. Nothing was changed.`,
      );
    }
    if (file.checksum !== checksum) {
      throw new SchemaError(
        `The migration ${number}_${file.name} was applied as ${name} with other content. Restore the file, and put the change into a new migration ("npm run database:new NAME"). Nothing was changed.`,
      );
    }
  }
  const pending = migrations.slice(rows.length);
  for (const migration of pending) {
    try {
      await client.query(migration.sql);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || isTransient(error)) throw error;
      throw new SchemaError(
        `The migration ${migration.number}_${migration.name} failed: ${error.message}. Correct the file; nothing was changed.`,
      );
    }
    await recordMigration(client, migration);
  }
  return pending.map(({ number }) => number);
}

async function recordMigration(client: Queryable, migration: Migration | undefined): Promise<void> {
  if (migration === undefined) return;
  await client.query("insert into tenantry.migrations (number, name, checksum) values ($1, $2, $3)", [
    migration.number,
    migration.name,
    migration.checksum,
  ]);
}
