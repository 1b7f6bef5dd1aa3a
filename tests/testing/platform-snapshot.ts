/**
 * The state of an edge that was stopped, to start others from. What is deployed holds the ports of its edge and database, so a copy
 * takes the same: one runs at a time in each worker.
 */
import { cp, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCluster, MADE_CLUSTERS_VARIABLE } from "@tenantry/postgres/testing/made-cluster";

export interface Snapshot {
  /** State directory of the edge. */
  directory: string;
  port: number;
  databaseUrl: string;
}

/** A directory that is removed at the end of the run. */
export const snapshotDirectory = (): Promise<string> =>
  mkdtemp(join(process.env[MADE_CLUSTERS_VARIABLE] ?? tmpdir(), "platform-"));

/** Lays a copy into an empty directory. @param home see {@link copyCluster} */
export async function copySnapshot({ directory: from }: Snapshot, directory: string, home?: string): Promise<void> {
  const cluster = join(from, "postgres");
  await cp(from, directory, { recursive: true, preserveTimestamps: true, filter: (path) => path !== cluster });
  await copyCluster(cluster, join(directory, "postgres"), home === undefined ? {} : { home });
}
