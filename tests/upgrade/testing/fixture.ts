/** Fixtures: packed state directories of stopped platforms that older versions deployed. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDataDirectory, startDatabase } from "@tenantry/postgres";
import * as z from "zod";
import { sql } from "../../testing/sql.ts";
import { pack, unpack } from "./archive.ts";
import { contents } from "./contents.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
/** Of a packed fixture. */
const MAX_BYTES = 2_000_000;
const NOBODY = 65_534;
/** Postgres's `FirstNormalObjectId`. */
const FIRST_USER_OID = 16_384;
/** System catalogs that a schema with policies and grants fills. */
const CHANGED_CATALOGS = [
  ...["pg_attrdef", "pg_attribute", "pg_class", "pg_constraint", "pg_depend", "pg_index", "pg_policy", "pg_proc"],
  ...["pg_statistic", "pg_trigger", "pg_type"],
];
/** Caches, histories and logs, which a start recreates or does not need. */
const LEFT_OUT = [
  /\.log$/,
  /^pulumi\/\.pulumi\/(history|backups)\/./,
  /\.json\.bak(\.attrs)?$/,
  // Name directories of the machine, which a start would remove.
  /^(runtime\/scratch|containers\/\.scratch)$/,
  /^postgres\/data\/postmaster\.opts$/,
  /\/pg_internal\.init$/,
  /\/pgstat\.stat$/,
];

const manifest = z.object({
  /** Versions that deployed it, the last one last. */
  versions: z.array(z.object({ version: z.string(), commit: z.string() })).min(1),
  stoppedAt: z.iso.datetime(),
  /** Until the next deployment, the Workers use these ports of the edge and the database. */
  ports: z.object({ edge: z.number().int(), database: z.number().int() }),
  contents,
});
export type Manifest = z.infer<typeof manifest>;

export const readManifest = (name: string): Manifest =>
  manifest.parse(JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), "utf8")));

/** Packs a stopped state directory after compacting its database. @returns the size in bytes */
export async function saveFixture(name: string, state: string, described: Manifest): Promise<number> {
  await compactDatabase(join(state, "postgres"));
  await bringDatabaseInside(join(state, "postgres"));
  const archive = await pack(state, (path) => !LEFT_OUT.some((pattern) => pattern.test(path)));
  if (archive.length > MAX_BYTES)
    throw new Error(`The fixture has ${archive.length} bytes; at most ${MAX_BYTES} are allowed.`);
  await writeFile(join(FIXTURES, `${name}.br`), archive);
  await writeFile(join(FIXTURES, `${name}.json`), `${JSON.stringify(described, null, 2)}\n`);
  return archive.length;
}

/** Unpacks a fixture to `state`, which must not exist, for the current user, as if it had just been stopped. */
export async function layFixture(name: string, state: string): Promise<Manifest> {
  await unpack(readFileSync(join(FIXTURES, `${name}.br`)), state);
  const postgres = join(state, "postgres");
  const home = await databaseHome();
  if (home !== null) {
    await rename(join(postgres, "data"), join(home, "data"));
    await giveToNobody(join(home, "data"));
    await changeClusterFile(postgres, { home });
  }
  const described = readManifest(name);
  await postponeDeadlines(postgres, described.stoppedAt);
  return described;
}

/** Moves deadlines that would have passed by the age of the fixture. */
async function postponeDeadlines(directory: string, stoppedAt: string): Promise<void> {
  const { url, stop } = await startDatabase({ directory, name: "tenantry", log: () => {} });
  const age = `now() - '${stoppedAt}'::timestamptz`;
  try {
    await sql(
      { databaseUrl: url },
      // Without triggers, so that nothing else changes.
      `set session_replication_role = replica;
       update tenantry.jobs set deadline = deadline + (${age}) where ended_at is null;
       update tenantry.instances set state_deadline = state_deadline + (${age}) where state_deadline is not null;
       update tenantry.client_users set token_expires_at = token_expires_at + (${age}) where token_expires_at is not null`,
    );
  } finally {
    await stop();
  }
}

/** Sets the port of a database before it is created. */
export async function reserveDatabasePort(state: string, port: number): Promise<void> {
  const directory = join(state, "postgres");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = { home: await databaseHome(), password: randomBytes(24).toString("base64url"), port };
  await writeFile(join(directory, "postgres.json"), JSON.stringify(file), { mode: 0o600 });
}

/** Postgres refuses to run as root, and another user cannot enter a private directory. */
async function databaseHome(): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  const home = await mkdtemp(join(tmpdir(), "tenantry-"));
  await chmod(home, 0o711);
  return home;
}

async function giveToNobody(directory: string): Promise<void> {
  await chown(directory, NOBODY, NOBODY);
  for (const entry of await readdir(directory, { recursive: true }))
    await chown(join(directory, entry), NOBODY, NOBODY);
}

/** Removes dead rows and write-ahead log that no recovery needs. */
async function compactDatabase(directory: string): Promise<void> {
  const { url, stop } = await startDatabase({ directory, name: "tenantry", log: () => {} });
  const run = (statement: string) => sql({ databaseUrl: url }, statement);
  try {
    // A reused segment keeps its old content.
    await run("alter system set wal_recycle = off");
    await run("select pg_reload_conf()");
    // Planner statistics, which autovacuum collects again.
    await run("delete from pg_statistic");
    // Unchanged tables are identical to those of the template databases, and must stay so.
    const tables = z.array(z.object({ name: z.string() })).parse(
      await run(`select oid::regclass::text as name from pg_class
        where relkind = 'r' and (oid >= ${FIRST_USER_OID} or relname in (${CHANGED_CATALOGS.map((name) => `'${name}'`).join()}))`),
    );
    for (const { name } of tables) await run(`vacuum full ${name}`);
    await run("alter system reset all");
    for (let segment = 0; segment < 3; segment += 1) {
      await run("select pg_logical_emit_message(true, 'fixture', '')");
      await run("select pg_switch_wal()");
      await run("checkpoint");
    }
  } finally {
    await stop();
  }
}

async function bringDatabaseInside(directory: string): Promise<void> {
  const data = findDataDirectory(directory);
  const inside = join(directory, "data");
  if (data === undefined || data === inside) return;
  if (existsSync(inside)) throw new Error(`${inside} exists already.`);
  await rename(data, inside);
  await rm(join(data, ".."), { recursive: true });
  await changeClusterFile(directory, { home: null });
}

async function changeClusterFile(directory: string, change: { home: string | null }): Promise<void> {
  const path = join(directory, "postgres.json");
  const file: object = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, `${JSON.stringify({ ...file, ...change })}\n`, { mode: 0o600 });
}
