/** The database of `tenantry:databaseUrl`. */
import pg from "pg";
import { databaseAddress } from "#database/connection/address.ts";
import { connectionString } from "#database/connection/connection-string.ts";
import { SchemaError } from "#database/schema/error.ts";
import { refuseOtherVersion } from "#database/schema/version.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { preflightServiceErrors as errors, preflightErrors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, type Outcome, passed, skipped, warned } from "../check.ts";
import type { Requirements } from "../requirements.ts";

const CONNECT_MS = 10_000;
/** The schema has unique indexes with `nulls not distinct`. */
const LEAST_VERSION = 15;
/** Hyperdrive 20 (developers.cloudflare.com/hyperdrive/platform/limits), the automation service 11, and deployments. */
const CONNECTIONS = 40;

type Examine = (client: pg.Client, requirements: Requirements) => Promise<Outcome>;

const databaseCheck = (id: string, title: string, examine: Examine): Check => ({
  id,
  title,
  run: (requirements) => withDatabase(requirements, (client) => examine(client, requirements)),
});

export const databaseChecks: readonly Check[] = [
  databaseCheck("database", "Database", checkVersion),
  databaseCheck("database_encryption", "Database connection is encrypted", checkEncryption),
  databaseCheck("database_rights", "Rights of the database role", checkRights),
  databaseCheck("database_direct", "Database connection is direct", checkPooler),
  databaseCheck("database_connections", "Connections of the database", checkConnections),
  databaseCheck("database_schema", "Schema of the database", checkSchemaVersion),
];

async function withDatabase(
  { settings }: Requirements,
  work: (client: pg.Client) => Promise<Outcome>,
): Promise<Outcome> {
  const { databaseUrl } = settings.connections;
  const { host } = databaseAddress(databaseUrl);
  const client = new pg.Client({
    connectionString: connectionString(databaseUrl),
    application_name: "tenantry-preflight",
    connectionTimeoutMillis: CONNECT_MS,
  });
  // The current query fails with the same error.
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return failed(errors.preflight_database_unreachable, { host, fault: asSentence(databaseFault(error)) });
  }
  try {
    await client.query("set default_transaction_read_only = on");
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Some errors of the driver have a code only. */
const databaseFault = (error: unknown): string =>
  (error as Error).message || (error as { code?: string }).code || "no answer";

async function readRow<Row>(client: pg.Client, query: string): Promise<Row> {
  const { rows } = await client.query(query);
  return rows[0] as Row;
}

async function checkVersion(client: pg.Client): Promise<Outcome> {
  const { number, version } = await readRow<{ number: number; version: string }>(
    client,
    "select current_setting('server_version_num')::int / 10000 as number, current_setting('server_version') as version",
  );
  if (number < LEAST_VERSION) return failed(errors.preflight_database_old, { version, least: LEAST_VERSION });
  return passed(`PostgreSQL ${version}`);
}

async function checkEncryption(client: pg.Client, { settings }: Requirements): Promise<Outcome> {
  const { host } = databaseAddress(settings.connections.databaseUrl);
  const found = await readRow<{ ssl: boolean; version: string | null } | undefined>(
    client,
    "select ssl, version from pg_stat_ssl where pid = pg_backend_pid()",
  );
  if (found?.ssl === true) return passed(found.version ?? "");
  if (["127.0.0.1", "localhost", "[::1]"].includes(host)) return passed("on this machine");
  return warned(errors.preflight_database_not_encrypted, { host });
}

async function checkRights(client: pg.Client): Promise<Outcome> {
  const { role, roles, schemas } = await readRow<{ role: string; roles: boolean; schemas: boolean }>(
    client,
    `select current_user as role, (rolcreaterole or rolsuper) as roles,
       has_database_privilege(current_database(), 'CREATE') as schemas
     from pg_roles where rolname = current_user`,
  );
  const missing = [...(roles ? [] : ["create roles"]), ...(schemas ? [] : ["create schemas"])];
  if (missing.length > 0)
    return failed(errors.preflight_database_rights_missing, { role, right: missing.join(" and ") });
  return passed(role);
}

/** A pooler by transaction changes the backend process between statements, and forgets what a session has set. */
async function checkPooler(client: pg.Client, { settings }: Requirements): Promise<Outcome> {
  const { host, port } = databaseAddress(settings.connections.databaseUrl);
  const state = () =>
    readRow<{ pid: number; setting: string }>(
      client,
      "select pg_backend_pid() as pid, current_setting('default_transaction_read_only') as setting",
    );
  const states = [await state(), await state(), await state()];
  if (new Set(states.map(({ pid }) => pid)).size > 1 || states.some(({ setting }) => setting !== "on"))
    return failed(errors.preflight_database_pooled, { fault: "a session does not keep its state" });
  const isPoolersAddress = /pooler|pgbouncer/i.test(host) || [6432, 6543].includes(port);
  return isPoolersAddress
    ? warned(errors.preflight_database_pooled, { fault: `${host}:${port} is the address of one` })
    : passed();
}

async function checkConnections(client: pg.Client): Promise<Outcome> {
  const { free } = await readRow<{ free: number }>(
    client,
    `select least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - (select count(*) from pg_stat_activity where backend_type = 'client backend'),
         nullif(rolconnlimit, -1), nullif(datconnlimit, -1))::int as free
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  if (free < CONNECTIONS) return warned(errors.preflight_database_connections_few, { free, needed: CONNECTIONS });
  return passed(`${free} free`);
}

async function checkSchemaVersion(client: pg.Client): Promise<Outcome> {
  try {
    await refuseOtherVersion(client, "platform");
    return passed();
  } catch (error) {
    if (error instanceof SchemaError)
      return failed(errors.preflight_database_schema_refused, { fault: asSentence(error.message) });
    return skipped(preflightErrors.preflight_check_failed, { fault: asSentence(databaseFault(error)) });
  }
}
