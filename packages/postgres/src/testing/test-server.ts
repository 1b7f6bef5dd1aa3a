/** A Postgres server of a test file's own, in a temporary directory. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { removeDatabase, startDatabase } from "../database.ts";
import { layCluster } from "./made-cluster.ts";

export interface TestServer {
  /** URL of the database as superuser. */
  url: string;
  pool: pg.Pool;
  /** Stops the server for a while; connections are closed. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. */
  goOn(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

/** @param lay prepares the directory of the database. Default: an empty cluster */
export async function startTestServer(lay: (directory: string) => Promise<void> = layCluster): Promise<TestServer> {
  const parent = await mkdtemp(join(tmpdir(), "postgres-test-"));
  const directory = join(parent, "database");
  await lay(directory);
  const start = () => startDatabase({ directory, log: () => undefined });
  let server = await start();
  const { url } = server;
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Connections that are idle or closing when the server stops end with an error nobody waits for.
  pool.on("error", () => {});
  return {
    url,
    pool,
    halt: () => server.stop(),
    async goOn() {
      server = await start();
      if (server.url !== url) throw new Error("The port was taken meanwhile.");
    },
    async stop() {
      await pool.end();
      await server.stop();
      await removeDatabase(directory);
      await rm(parent, { recursive: true });
    },
  };
}
