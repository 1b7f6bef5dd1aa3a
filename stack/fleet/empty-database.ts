import { getWorkersScripts } from "@pulumi/cloudflare/getWorkersScripts.js";
import * as pulumi from "@pulumi/pulumi";
import { databaseAddress } from "#database/connection/address.ts";
import type { Environment } from "#domain/environment.ts";
import { platformNames } from "#domain/names/deployed-names.ts";
import { refuseFaults } from "../refusal.ts";
import type { FleetSnapshot } from "./snapshot.ts";

interface EmptyDatabaseArgs {
  accountId: string;
  databaseUrl: string;
  environment: Environment;
  snapshot: Pick<FleetSnapshot, "empty" | "read">;
}

/**
 * Refuses to connect a deployed platform to a database without its schema, such as after a mistake in `tenantry:databaseUrl`. An
 * interrupted first run is not affected, because the dispatch Worker is deployed after the schema.
 * @throws RunError before resources are declared, in a preview too
 */
export async function refuseEmptyDatabase(args: EmptyDatabaseArgs): Promise<void> {
  const { accountId, databaseUrl, environment, snapshot } = args;
  if (!snapshot.empty || !snapshot.read) return;
  const { dispatchScript } = platformNames(environment);
  if (!(await isDeployed(accountId, dispatchScript))) return;
  const { host, port, database } = databaseAddress(databaseUrl);
  refuseFaults("the database of a deployed platform is empty:", [
    `The database "${database}" on ${host}:${port} has no Tenantry schema, but the account has this platform's Worker ${dispatchScript}. ` +
      "Set tenantry:databaseUrl to the platform's database, or restore a dump into this one. To deploy a new platform, delete that Worker.",
  ]);
}

/** Returns false if the Workers cannot be listed; the run then fails by itself. */
async function isDeployed(accountId: string, script: string): Promise<boolean> {
  try {
    const { results = [] } = await getWorkersScripts({ accountId });
    return results.some(({ id }) => id === script);
  } catch (error) {
    pulumi.log.warn(`Failed to list the account's Workers: ${(error as Error).message}`);
    return false;
  }
}
