import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { openCluster } from "./cluster.ts";
import { removeDatabase, startDatabase } from "./database.ts";
import { findPostgresPackage, runnableNative } from "./postgres-package.ts";
import { runPostgresProgram } from "./postgres-process.ts";
import { readPostmaster } from "./postmaster.ts";

const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const log = () => {};
const name = "example";
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Returns a directory below a private one. It is removed with its database after the test. */
async function stateDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "database-"));
  const directory = join(parent, "state");
  cleanups.push(async () => {
    await removeDatabase(directory);
    await rm(parent, { recursive: true });
  });
  return directory;
}

async function startIn(directory: string) {
  const database = await startDatabase({ directory, name, log });
  cleanups.push(() => database.stop());
  return database;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  // A killed server also reports an error on the connection.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts another Node process that starts the database and keeps it running. */
async function startHolder(
  directory: string,
  user?: { uid: number; gid: number },
): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    const { startDatabase } = await import(${JSON.stringify(new URL("database.ts", import.meta.url).href)});
    const { url } = await startDatabase({ directory: ${JSON.stringify(directory)}, name: ${JSON.stringify(name)}, log: () => {} });
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    ...user,
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await once(child, "exit");
  });
  const gone = once(child, "exit").then(([code]) => Promise.reject(new Error(`the process ended with ${code}`)));
  gone.catch(() => undefined);
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), gone]);
  return { child, url: String(url) };
}

describe("startDatabase", () => {
  test("serves the named database on loopback with its password, in private files", async () => {
    const directory = await stateDirectory();
    const { url } = await startIn(directory);
    const [row] = await query(
      url,
      "select current_database() as name, current_setting('listen_addresses') as addresses",
    );
    expect(row).toEqual({ name: "example", addresses: "127.0.0.1" });
    const wrong = new URL(url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const name of ["postgres.json", "postgres.log"]) {
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    }
  });

  test("keeps data, password and port across a restart", async () => {
    const directory = await stateDirectory();
    const first = await startIn(directory);
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    const second = await startIn(directory);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("takes another port when another program uses the last one", async () => {
    const directory = await stateDirectory();
    const first = await startIn(directory);
    await first.stop();
    const port = Number(new URL(first.url).port);
    const squatter = createServer().listen(port, "127.0.0.1");
    await once(squatter, "listening");
    cleanups.push(async () => squatter.close());
    const second = await startIn(directory);
    expect(Number(new URL(second.url).port)).not.toBe(port);
  });

  test("refuses a second server on the same data", async () => {
    const directory = await stateDirectory();
    await startIn(directory);
    await expect(startDatabase({ directory, name, log })).rejects.toThrow(/Another process uses the database/);
    await expect(removeDatabase(directory)).rejects.toThrow(/Stop it first/);
  });

  test("stops when its parent is killed and keeps what was committed", async () => {
    const directory = await stateDirectory();
    const { child, url } = await startHolder(directory);
    await query(url, "create table kept as select 42 as answer");
    child.kill("SIGKILL");
    const { url: next } = await startIn(directory);
    expect(await query(next, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("recovers what was committed when the server was killed", async () => {
    const directory = await stateDirectory();
    const first = await startIn(directory);
    await query(first.url, "create table kept as select 42 as answer");
    const { data } = await openCluster(directory);
    process.kill((await readPostmaster(data))?.pid ?? 0, "SIGKILL");
    await first.stop();
    const second = await startIn(directory);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  test("ignores a process file whose process id belongs to another program", async () => {
    const directory = await stateDirectory();
    await (await startIn(directory)).stop();
    const { data } = await openCluster(directory);
    await writeFile(join(data, "postmaster.pid"), `${process.pid}\n${data}\n`);
    const { url } = await startIn(directory);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("writes no statements and no values to its log", async () => {
    const directory = await stateDirectory();
    const { url } = await startIn(directory);
    await expect(query(url, "create role x password 'open-sesame' nonsense")).rejects.toThrow();
    await expect(
      query(url, "create temp table t (v text unique); insert into t values ('open-sesame'), ('open-sesame')"),
    ).rejects.toThrow();
    const printed = await readFile(join(directory, "postgres.log"), "utf8");
    expect(printed).toContain("duplicate key");
    expect(printed).not.toContain("open-sesame");
  });

  test("reports data of another Postgres version and missing data", async () => {
    const directory = await stateDirectory();
    const { data } = await openCluster(directory);
    const version = await readFile(join(data, "PG_VERSION"), "utf8");
    await writeFile(join(data, "PG_VERSION"), "9\n");
    await expect(startDatabase({ directory, name, log })).rejects.toThrow(/format of Postgres 9, .*--fresh/);
    await writeFile(join(data, "PG_VERSION"), version);
    const state: unknown = JSON.parse(await readFile(join(directory, "postgres.json"), "utf8"));
    await writeFile(
      join(directory, "postgres.json"),
      JSON.stringify({ ...Object(state), home: "/var/lib/database-gone00" }),
    );
    cleanups.push(() => writeFile(join(directory, "postgres.json"), JSON.stringify(state)));
    await expect(startDatabase({ directory, name, log })).rejects.toThrow(/does not exist. Start again with --fresh/);
  });
});

describe.runIf(isRoot)("under root", () => {
  test("reports a user that does not exist", async () => {
    const home = await mkdtemp(join(tmpdir(), "home-"));
    cleanups.push(() => rm(home, { recursive: true }));
    const initdb = join(findPostgresPackage().native, "bin/initdb");
    const run = runPostgresProgram(initdb, { uid: 54_321, gid: 54_321 }, [`--pgdata=${join(home, "data")}`]);
    await expect(run).rejects.toThrow(
      /Failed to create the database: could not look up effective user ID 54321: user does not exist/,
    );
  });

  test("removes data outside the state directory", async () => {
    const directory = await stateDirectory();
    await (await startIn(directory)).stop();
    const { home } = JSON.parse(await readFile(join(directory, "postgres.json"), "utf8"));
    expect((await stat(join(home, "data"))).uid).toBe(NOBODY.uid);
    await removeDatabase(directory);
    await expect(stat(home)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(stat(directory)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("copies the programs when `nobody` cannot reach the package", async () => {
    const clone = await mkdtemp(join(tmpdir(), "clone-"));
    const home = await mkdtemp(join("/var/tmp", "home-"));
    cleanups.push(() => Promise.all([rm(clone, { recursive: true }), rm(home, { recursive: true })]));
    await chmod(home, 0o711);
    const found = findPostgresPackage();
    await cp(found.native, join(clone, "native"), { recursive: true, verbatimSymlinks: true });
    for (const name of await readdir(join(clone, "native/lib"))) {
      if (/^libicu.*\.so\.60$/.test(name)) await rm(join(clone, "native/lib", name));
    }
    const native = await runnableNative({ ...found, native: join(clone, "native") }, home, NOBODY);
    expect(native.startsWith(home)).toBe(true);
    await runPostgresProgram(join(native, "bin/postgres"), NOBODY, ["--version"]);
  });

  test("keeps the data in the state directory when the user is not root", async () => {
    const parent = await mkdtemp(join(tmpdir(), "user-"));
    cleanups.push(() => rm(parent, { recursive: true }));
    const [uid, gid] = [1, 1];
    await chown(parent, uid, gid);
    const directory = join(parent, "state");
    const { child, url } = await startHolder(directory, { uid, gid });
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await stat(join(directory, "data"))).uid).toBe(uid);
    child.kill("SIGKILL");
    const second = await startIn(directory);
    expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await second.stop();
  });
});
