/** Restores the platform's database from a dump beside the database that is there, and then has the two change places. */
import { existsSync } from "node:fs";
import type pg from "pg";
import * as z from "zod";
import { rolesOf } from "./dump.ts";
import { asOwner, type DatabaseOptions, ownerAddress, serverMajor } from "./owner-database.ts";
import { PostgresClient } from "./postgres-client.ts";

export interface RestoreOptions extends DatabaseOptions {
  /** Path of the dump. */
  file: string;
}

/** Database that others are created from. */
const MAINTENANCE = "postgres";
const CAUSE =
  "The database was restored from a dump that was made while this job was open. Whether it was carried out is not known: look at the tenant, and ask for it again.";

const endedJob = z.object({ id: z.string(), kind: z.string(), slug: z.string() });

/** @throws Error with one sentence; the database that is there stays in use then */
export async function restore(options: RestoreOptions): Promise<void> {
  const { file, variables, say } = options;
  if (!existsSync(file)) throw new Error(`There is no ${file}.`);
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
        const jobs = await asOwner(address, endOpenJobs, restored);
        for (const { id, kind, slug } of jobs)
          say(`Ended the job ${kind} of ${slug} (${id}), which was open in the dump.`);
      } catch (error) {
        await server.query(`drop database ${server.escapeIdentifier(restored)}`);
        throw error;
      }
      const before = await exchange(server, { database, restored, before: `${database}_before_${stamp}` });
      if (before !== undefined)
        say(`The database that was in use is kept as ${before}. Drop it when nothing is missing.`);
    },
    MAINTENANCE,
  );
  say("The database is restored. Look for what disagrees with the account: npm run fleet -- doctor");
}

/** Where the server has the platform's roles, their passwords may be newer than the dump's. */
async function restoreRoles(server: pg.Client, client: PostgresClient, { file, say }: RestoreOptions): Promise<void> {
  const { rowCount } = await server.query("select from pg_roles where rolname like 'tenantry\\_%' limit 1");
  if ((rowCount ?? 0) > 0) return;
  if (!existsSync(rolesOf(file)))
    throw new Error(`The server has none of the platform's roles, and there is no ${rolesOf(file)}.`);
  // Roles that the server has, such as the owner, are refused and stay.
  await client.run("psql", ["--quiet", "--no-psqlrc", `--file=${rolesOf(file)}`], MAINTENANCE);
  say("The platform's roles are restored.");
}

async function endOpenJobs(connection: pg.Client): Promise<z.infer<typeof endedJob>[]> {
  const { rows } = await connection.query(
    `update tenantry.jobs set status = 'failed', ended_at = now(), cause = $1 where ended_at is null returning id, kind, slug`,
    [CAUSE],
  );
  return z.array(endedJob).parse(rows);
}

/** @returns what the database that was in use is called now; undefined where there was none */
async function exchange(
  server: pg.Client,
  { database, restored, before }: { database: string; restored: string; before: string },
): Promise<string | undefined> {
  const name = (text: string) => server.escapeIdentifier(text);
  const { rowCount } = await server.query("select from pg_database where datname = $1", [database]);
  if ((rowCount ?? 0) > 0) {
    // Nobody comes in between the end of the sessions and the new name.
    await server.query(`alter database ${name(database)} allow_connections false`);
    try {
      await server.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [database]);
      await server.query(`alter database ${name(database)} rename to ${name(before)}`);
    } catch (error) {
      await server.query(`alter database ${name(database)} allow_connections true`);
      throw error;
    }
  }
  await server.query(`alter database ${name(restored)} rename to ${name(database)}`);
  if ((rowCount ?? 0) === 0) return undefined;
  await server.query(`alter database ${name(before)} allow_connections true`);
  return before;
}
