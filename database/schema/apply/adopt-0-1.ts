/** Upgrades a database of version 0.1.0, which had other migrations, to the state of the baseline. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { hasTable, type Queryable, TABLE_OF_0_1 } from "../bookkeeping.ts";
import { SchemaError } from "../error.ts";
import { SCHEMA_DIRECTORY } from "../source.ts";
import { isTransient } from "./routines.ts";

/** Returns `YYYYMMDDNNNNNN` for each number. */
const versionsOfDay = (day: string, ...numbers: number[]) =>
  numbers.map((number) => `${day}${String(number).padStart(6, "0")}`);

/** Migrations of the first supported commit. Earlier ones were edited after they had been applied. */
const SUPPORTED_FROM = [
  ...versionsOfDay("20261101", 1, 2, 3, 4, 5),
  ...versionsOfDay("20261121", 1, 2),
  ...versionsOfDay("20261122", 1, 2, 3),
  ...versionsOfDay("20261123", 1, 2, 3, 4, 5, 10, 30, 40, 50, 60, 80),
  ...versionsOfDay("20261124", 10),
  ...versionsOfDay("20261125", 1, 10),
];

/** Later migrations of 0.1.0. Those that changed tables have a file with that change; routines have their own files. */
const LATER = [
  ...versionsOfDay("20261125", 30),
  ...versionsOfDay("20261126", 20, 50, 60, 70, 80),
  ...versionsOfDay("20261127", 10, 20, 30, 50, 51, 52, 60),
];

const CHANGES = join(SCHEMA_DIRECTORY, "migrations/from-0.1");

/** Names that a partitioned table got while the table that it replaced still existed. */
const RENAMED = `
  alter table tenantry.instance_health_snapshots
    rename constraint instance_health_snapshots_instance_id_fkey1 to instance_health_snapshots_instance_id_fkey;
  alter table tenantry.instance_health_snapshots
    rename constraint instance_health_snapshots_latency_ms_check1 to instance_health_snapshots_latency_ms_check`;

/** Hash of tables, columns, constraints and indexes by name, which all versions of PostgreSQL agree on. */
const STRUCTURE = `
  select md5(string_agg(line, E'\\n' order by line collate "C")) as structure from (
    select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef, a.attidentity) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'tenantry'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'schema_migrations' and a.attnum > 0 and not a.attisdropped
    union all
    select concat_ws(' ', c.relname, k.contype, k.conname) from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'tenantry'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and k.contype in ('c', 'p', 'u', 'f')
      and c.relname <> 'schema_migrations'
    union all
    select concat_ws(' ', c.relname, i.indexrelid::regclass) from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'tenantry'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_migrations'
  ) lines`;

const BASELINE_STRUCTURE = "89c4dbe72d54bb7d3f7f8f5b2f443bd1";

const REMEDY =
  "Tenantry 0.2.0 upgrades databases whose last migration is 20261125000010_versions or later. Earlier migrations were edited " +
  "after they had been applied. Deploy a new platform, or ask the maintainers for help with the data. Nothing was changed.";

/**
 * Runs within the caller's transaction.
 * @returns whether the database was of version 0.1.0
 * @throws SchemaError for a database that cannot be upgraded
 */
export async function adopt01(client: Queryable): Promise<boolean> {
  if (!(await hasTable(client, TABLE_OF_0_1)) || (await hasTable(client, "tenantry.migrations"))) return false;
  const applied = await refuseUnsupported(client);
  try {
    for (const [version, sql] of readOldChanges()) if (!applied.has(version)) await client.query(sql);
    await client.query(RENAMED);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || isTransient(error)) throw error;
    throw new SchemaError(`The database was not deployed by version 0.1.0: ${error.message}. ${REMEDY}`);
  }
  if ((await structureOf(client)) !== BASELINE_STRUCTURE) {
    throw new SchemaError(`The database's tables differ from those of version 0.1.0. ${REMEDY}`);
  }
  return true;
}

export async function refuseUnsupported(client: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ version: string }>(`select version from ${TABLE_OF_0_1} order by version`);
  const applied = rows.map(({ version }) => version);
  const known = [...SUPPORTED_FROM, ...LATER];
  if (applied.length < SUPPORTED_FROM.length || applied.some((version, index) => version !== known[index])) {
    const last = applied.at(-1) ?? "none";
    throw new SchemaError(`The database has migrations of a version before 0.1.0 (the last is ${last}). ${REMEDY}`);
  }
  return new Set(applied);
}

export async function structureOf(client: Queryable): Promise<string> {
  await client.query("set local search_path = ''");
  const { rows } = await client.query<{ structure: string }>(STRUCTURE);
  return rows[0]?.structure ?? "";
}

function readOldChanges(): [version: string, sql: string][] {
  return readdirSync(CHANGES)
    .toSorted()
    .map((file) => [file.slice(0, 14), readFileSync(join(CHANGES, file), "utf8")]);
}
