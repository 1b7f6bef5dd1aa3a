/**
 * The state of an edge that was stopped, to start others from. What is deployed holds the ports of its edge and database, so a copy
 * takes the same: one runs at a time in each worker.
 */
import { cp, mkdir, mkdtemp, readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCluster, MADE_CLUSTERS_VARIABLE } from "./made-cluster.ts";

export interface Snapshot {
  /** State directory of the edge. */
  directory: string;
  port: number;
  databaseUrl: string;
}

/** A directory that is removed at the end of the run. */
export const snapshotDirectory = (): Promise<string> =>
  mkdtemp(join(process.env[MADE_CLUSTERS_VARIABLE] ?? tmpdir(), "platform-"));

/** Lays a copy into an empty directory. */
export async function copySnapshot({ directory: from }: Snapshot, directory: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (name === "postgres") continue;
    await cp(join(from, name), join(directory, name), { recursive: true, preserveTimestamps: true });
  }
  await mkdir(join(directory, "postgres"), { recursive: true, mode: 0o700 });
  await copyCluster(join(from, "postgres"), join(directory, "postgres"));
}

/** Below those that systems give to connections and to listeners without a port of their own. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;

/** A port that nobody is given by chance, so that it is free whenever its owner is stopped. */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
