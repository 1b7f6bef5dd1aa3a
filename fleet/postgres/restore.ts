/** Restores the platform's database into a new database, then exchanges the names of the two. */
import { existsSync } from "node:fs";
import type pg from "pg";
import { databaseUrl } from "#database/connection/address.ts";
import { upgradeSchema } from "#database/schema/upgrade.ts";
import type { PlatformOptions } from "../options.ts";
import { rolesOf } from "./dump.ts";
import { asOwner, ownerAddress, serverMajor } from "./owner-database.ts";
import { PostgresClient } from "./postgres-client.ts";
import { recordRestore } from "./restore-record.ts";

export interface RestoreOptions extends PlatformOptions {
  file: string;
}

/** Database for a connection that creates and renames others. */
const MAINTENANCE = "postgres";
/** @throws Error with one sentence; the current database then stays in use */
export async function restoreDatabase(options: RestoreOptions): Promise<void> {
  const { file, variables, say } = options;
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const dumpedAt = dumpedAtOf(file);
  const address = await ownerAddress(options);
  const { database } = address;
  const client = new PostgresClient(address, variables);
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const restored = `${database}_restored_${stamp}`;
  await asOwner(
    address,
    async (server) => {
      await client.check(await serverMajor(server));
      await restoreRoles(server, client, options);
      await server.query(`create database ${server.escapeIdentifier(restored)} template template0`);
      try {
        const args = ["--exit-on-error", "--single-transaction", "--no-password", `--dbname=${restored}`, file];
        await client.run("pg_restore", args, restored);
        // A dump has its version's schema and no permissions of the database itself.
        await upgradeSchema(databaseUrl({ ...address, database: restored }));
        await asOwner(address, (connection) => recordRestore(connection, dumpedAt, say), restored);
      } catch (error) {
        await server.query(`drop database ${server.escapeIdentifier(restored)}`);
        throw error;
      }
      const before = await exchangeDatabases(server, { database, restored, before: `${database}_before_${stamp}` });
      if (before !== undefined) say(`The former database is kept as ${before}. Drop it when no data is missing.`);
    },
    MAINTENANCE,
  );
  say("Restored the database. To find differences from the account: npm run fleet -- doctor");
}

/** Skipped if the server has the platform's roles: their passwords may be newer than the dump's. */
async function restoreRoles(server: pg.Client, client: PostgresClient, { file, say }: RestoreOptions): Promise<void> {
  const { rowCount } = await server.query("select from pg_roles where rolname like 'tenantry\\_%' limit 1");
  if ((rowCount ?? 0) > 0) return;
  if (!existsSync(rolesOf(file)))
    throw new Error(`The server has no roles of the platform, and ${rolesOf(file)} does not exist. Restore that file.`);
  // psql continues after roles that exist, such as the owner.
  await client.run("psql", ["--quiet", "--no-psqlrc", `--file=${rolesOf(file)}`], MAINTENANCE);
  say("Restored the platform's roles.");
}

/** Returns the UTC time in a dump's name. @throws Error if it has none */
function dumpedAtOf(file: string): Date {
  const [, date, hours, minutes, seconds] = /-(\d{8})T(\d{2})(\d{2})(\d{2})Z\.dump$/.exec(file) ?? [];
  if (date === undefined)
    throw new Error(
      `The name of ${file} has no time. Rename it to the name that "fleet dump" chose: STACK-YYYYMMDDTHHMMSSZ.dump.`,
    );
  return new Date(`${date.replace(/(....)(..)(..)/, "$1-$2-$3")}T${hours}:${minutes}:${seconds}Z`);
}

/** @returns the new name of the former database; undefined if there was none */
async function exchangeDatabases(
  server: pg.Client,
  { database, restored, before }: { database: string; restored: string; before: string },
): Promise<string | undefined> {
  const name = (text: string) => server.escapeIdentifier(text);
  const { rowCount } = await server.query("select from pg_database where datname = $1", [database]);
  if ((rowCount ?? 0) > 0) {
    // No new session can start between the end of the sessions and the new name.
    await server.query(`alter database ${name(database)} allow_connections false`);
    try {
      await server.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [database]);
      // In one transaction, so that the name always exists.
      await server.query("begin");
      await server.query(`alter database ${name(database)} rename to ${name(before)}`);
      await server.query(`alter database ${name(restored)} rename to ${name(database)}`);
      await server.query("commit");
    } catch (error) {
      await server.query("rollback");
      await server.query(`alter database ${name(database)} allow_connections true`);
      throw error;
    }
    await server.query(`alter database ${name(before)} allow_connections true`);
    return before;
  }
  await server.query(`alter database ${name(restored)} rename to ${name(database)}`);
  return undefined;
}
