/** Tenants of the dashboard: the automation service has their stacks, and deploys them by jobs. */
import { setTimeout as pause } from "node:timers/promises";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { readRedeployments, requestRedeployments } from "#database/tenants/redeployment.ts";
import type { Environment } from "#domain/environment.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import type { RotateOptions } from "./options.ts";

const BETWEEN_LOOKS_MS = 1_000;

export type DashboardTenantsOptions = Pick<RotateOptions, "secret" | "stack" | "variables" | "signal" | "say">;

/** Has all of them deployed, and waits for it. @throws Error with the tenants that could not be deployed, and why */
export async function deployDashboardTenants(
  environment: Environment,
  { secret, stack, variables, signal, say }: DashboardTenantsOptions,
): Promise<void> {
  const db = openServiceDatabase(await secretOutput(stack, "serviceUrl", variables), "tenantry-rotation");
  try {
    const ids = await requestRedeployments(db, environment, { requestedBy: "rotation", reason: secret });
    if (ids.length === 0) return;
    let done = -1;
    for (;;) {
      const jobs = await readRedeployments(db, ids);
      const ended = jobs.filter(({ isEnded }) => isEnded).length;
      if (ended > done) {
        done = ended;
        say(`The automation service deployed ${ended} of the dashboard's ${jobs.length} tenants.`);
      }
      if (ended === jobs.length) {
        const faults = jobs.flatMap(({ slug, cause }) => (cause === null ? [] : [`${slug}: ${cause}`]));
        if (faults.length === 0) return;
        throw new Error(`Failed to deploy tenants of the dashboard.\n${faults.join("\n")}`);
      }
      await pause(BETWEEN_LOOKS_MS, undefined, { signal });
    }
  } finally {
    await db.destroy();
  }
}
