/** Compares a database with this version's migrations, routines, plans, rights and version, without changes. */
import { SCHEMA_RELEASE } from "#domain/release.ts";
import { refusedPlans } from "./apply/plans.ts";
import { rightsDifference, rightsFindings } from "./apply/rights.ts";
import { findOutdatedRoutines, findUndeclaredRoutines } from "./apply/routines.ts";
import { hasTable, type Queryable, TABLE_OF_0_1 } from "./bookkeeping.ts";
import { readSchemaSource, type SchemaSource } from "./source.ts";
import { schemaVersion } from "./version.ts";

interface Inspection {
  migration: string | undefined;
  findings: string[];
}

/** Runs within the caller's transaction. @param source default: this checkout's */
export async function inspectSchema(client: Queryable, source: SchemaSource = readSchemaSource()): Promise<Inspection> {
  if (!(await hasTable(client, "tenantry.migrations"))) return inspect01(client);
  const applied = await client.query<{ number: string; name: string; checksum: string }>(
    "select number, name, checksum from tenantry.migrations order by number",
  );
  const version = await schemaVersion(client);
  const changed = await findOutdatedRoutines(client, source.routines);
  const others = await findUndeclaredRoutines(client, source.routines);
  const newPlans = await refusedPlans(client, source);
  const findings = [
    ...migrationFindings(applied.rows, source),
    ...(version?.version === SCHEMA_RELEASE
      ? []
      : [`The schema has version ${version?.version ?? "unknown"}; this version needs ${SCHEMA_RELEASE}.`]),
    ...changed.map(({ identity, file }) => `The ${identity} differs from database/routines/${file}.`),
    ...others.map(({ identity }) => `The ${identity} is not defined in database/routines.`),
    ...newPlans.map((plan) => `The database does not accept the plan ${plan} of domain/plans/plans.ts.`),
    ...rightsFindings(await rightsDifference(client)),
  ];
  return { migration: applied.rows.at(-1)?.number, findings };
}

async function inspect01(client: Queryable): Promise<Inspection> {
  if (!(await hasTable(client, TABLE_OF_0_1))) return { migration: undefined, findings: [] };
  const { rows } = await client.query<{ version: string | null }>(
    `select max(version) as version from ${TABLE_OF_0_1}`,
  );
  return {
    migration: rows[0]?.version ?? "",
    findings: [`The schema has version 0.1.0; this version needs ${SCHEMA_RELEASE}.`],
  };
}

function migrationFindings(
  applied: readonly { number: string; name: string; checksum: string }[],
  { migrations }: SchemaSource,
): string[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const done = new Set(applied.map(({ number }) => number));
  return [
    ...applied.flatMap(({ number, name, checksum }) => {
      const file = known.get(number);
      if (file === undefined) return [`The migration ${number}_${name} was applied by a later version.`];
      return file.checksum === checksum ? [] : [`The migration ${number}_${name} was applied with other content.`];
    }),
    ...migrations
      .filter(({ number }) => !done.has(number))
      .map(({ number, name }) => `The migration ${number}_${name} was not applied.`),
  ];
}
