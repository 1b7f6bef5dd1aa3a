import { errorText } from "#domain/errors/catalogue.ts";
import { schemaErrors } from "#domain/errors/database/schema.ts";
import { isOlder, RELEASE, SCHEMA_RELEASE } from "#domain/release.ts";
import { refuseUnsupported } from "./apply/adopt-0-1.ts";
import { hasTable, type Queryable, TABLE_OF_0_1 } from "./bookkeeping.ts";
import { SchemaError } from "./error.ts";

interface SchemaVersion {
  version: string;
  compatibleFrom: string;
}

/** Returns the version of a database's schema, which 0.1.0 did not record; undefined without a platform. */
export async function schemaVersion(client: Queryable): Promise<SchemaVersion | undefined> {
  if (await hasTable(client, "tenantry.schema_version")) {
    const { rows } = await client.query<SchemaVersion>(
      'select version, compatible_from as "compatibleFrom" from tenantry.schema_version',
    );
    if (rows[0] !== undefined) return rows[0];
  }
  return (await hasTable(client, TABLE_OF_0_1)) ? { version: "0.1.0", compatibleFrom: "0.1.0" } : undefined;
}

/**
 * Checks the version before any change. A platform's stack upgrades the schema; tenants' stacks and services also work with a newer schema
 * that is compatible.
 * @throws SchemaError with both versions
 */
export async function refuseOtherVersion(client: Queryable, use: "platform" | "tenants" | "service"): Promise<void> {
  const found = await schemaVersion(client);
  if (found === undefined) return;
  const { version, compatibleFrom } = found;
  const release = RELEASE;
  if (use === "platform") {
    if (isOlder(SCHEMA_RELEASE, version))
      throw new SchemaError(errorText(schemaErrors.schema_newer, { version, release }));
    const is01 = version === "0.1.0" && (await hasTable(client, TABLE_OF_0_1));
    // Only the database's owner may read these migrations.
    if (is01) await refuseUnsupported(client);
    return;
  }
  if (isOlder(RELEASE, compatibleFrom)) {
    throw new SchemaError(errorText(schemaErrors.schema_incompatible, { version, release, least: compatibleFrom }));
  }
  if (isOlder(version, SCHEMA_RELEASE))
    throw new SchemaError(errorText(schemaErrors.schema_older, { version, release }));
}
