/** A Postgres server for one test file, in a temporary directory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { removeDatabase, startDatabase } from "../database.ts";
import { copyEmptyCluster } from "./prepared-cluster.ts";

export interface TestServer {
  /** URL of the database as superuser. */
  url: string;
  pool: pg.Pool;
  /** Stops the server and closes its connections. */
  halt(): Promise<void>;
  /** Starts the server again at the same address. */
  goOn(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * @param lay prepares the directory of the database. Default: an empty cluster
 * @param name of the database
 */
export async function startTestServer(
  lay: (directory: string) => Promise<void> = copyEmptyCluster,
  name = "test",
): Promise<TestServer> {
  const parent = await mkdtemp(join(tmpdir(), "postgres-test-"));
  const directory = join(parent, "database");
  await lay(directory);
  const start = () => startDatabase({ directory, name, log: () => undefined });
  let server = await start();
  const { url } = server;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Connections that are idle or closing report an error when the server stops.
  pool.on("error", () => {});
  return {
    url,
    pool,
    halt: () => server.stop(),
    async goOn() {
      server = await start();
      if (server.url !== url) throw new Error("Another program took the port.");
    },
    async stop() {
      await pool.end();
      await server.stop();
      await removeDatabase(directory);
      await rm(parent, { recursive: true });
    },
  };
}
