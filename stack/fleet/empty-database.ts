import { getWorkersScripts } from "@pulumi/cloudflare/getWorkersScripts.js";
import * as pulumi from "@pulumi/pulumi";
import { databaseAddress } from "#database/connection/address.ts";
import type { Environment } from "#domain/environment.ts";
import { platformNames } from "#domain/names/deployed-names.ts";
import { refuse } from "../refusal.ts";
import type { FleetSnapshot } from "./snapshot.ts";

export interface EmptyDatabaseArgs {
  accountId: string;
  databaseUrl: string;
  environment: Environment;
  /** What the database held before this run. */
  snapshot: Pick<FleetSnapshot, "empty" | "read">;
}

/**
 * Refuses a run that would connect a deployed platform to a database without its schema, as after a mistake in `tenantry:databaseUrl`. The
 * dispatch Worker is deployed after the schema, so that an interrupted first run is not refused.
 *
 * @throws RunError before anything is declared: a preview says so too
 */
export async function refuseEmptyDatabase({
  accountId,
  databaseUrl,
  environment,
  snapshot,
}: EmptyDatabaseArgs): Promise<void> {
  if (!snapshot.empty || !snapshot.read) return;
  const { dispatchScript } = platformNames(environment);
  if (!(await isDeployed(accountId, dispatchScript))) return;
  const { host, port, database } = databaseAddress(databaseUrl);
  refuse("the database of a deployed platform is empty:", [
    `The database "${database}" on ${host}:${port} has no Tenantry schema, but the account has this platform's Worker ${dispatchScript}. ` +
      "Set tenantry:databaseUrl to the platform's database, or restore a dump into this one. To deploy a new platform, delete that Worker.",
  ]);
}

/** What cannot be listed counts as not deployed, and the run finds out. */
async function isDeployed(accountId: string, script: string): Promise<boolean> {
  try {
    const { results = [] } = await getWorkersScripts({ accountId });
    return results.some(({ id }) => id === script);
  } catch (error) {
    pulumi.log.warn(`Failed to list the account's Workers: ${(error as Error).message}`);
    return false;
  }
}
