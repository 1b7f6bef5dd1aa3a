/**
 * The state of a stopped edge, as a template. Deployed resources contain the ports of edge and database, so a copy has the same ports, and
 * one copy runs at a time per worker.
 */
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCluster, TEST_CLUSTERS_VARIABLE } from "@tenantry/postgres/testing/prepared-cluster";

export interface Snapshot {
  /** State directory of the edge. */
  directory: string;
  port: number;
  databaseUrl: string;
}

/** Returns a directory that is removed at the end of the run. */
export const snapshotDirectory = (): Promise<string> =>
  mkdtemp(join(process.env[TEST_CLUSTERS_VARIABLE] ?? tmpdir(), "platform-"));

/** Copies a snapshot to an empty directory. @param home see {@link copyCluster} */
export async function copySnapshot({ directory: from }: Snapshot, directory: string, home?: string): Promise<void> {
  const cluster = join(from, "postgres");
  await cp(from, directory, { recursive: true, preserveTimestamps: true, filter: (path) => path !== cluster });
  await copyCluster(cluster, join(directory, "postgres"), home === undefined ? {} : { home });
}
