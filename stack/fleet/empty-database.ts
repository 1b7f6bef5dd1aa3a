import { getWorkersScripts } from "@pulumi/cloudflare/getWorkersScripts.js";
import * as pulumi from "@pulumi/pulumi";
import { databaseAddress } from "#database/connection/address.ts";
import type { Environment } from "#domain/environment.ts";
import { errorFault } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
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
  const values = { database, server: `${host}:${port}`, script: dispatchScript };
  refuseFaults(planRefusals.deployed_database_empty, [errorFault(planErrors.database_without_schema, values)]);
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
