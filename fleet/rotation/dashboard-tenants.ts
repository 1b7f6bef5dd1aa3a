import { setTimeout as pause } from "node:timers/promises";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { readRedeployments, requestRedeployments } from "#database/tenants/redeployment.ts";
import type { Environment } from "#domain/environment.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import type { RotateOptions } from "./options.ts";

const POLL_MS = 1_000;

export type DashboardTenantsOptions = Pick<RotateOptions, "secret" | "stack" | "variables" | "signal" | "say">;

/** Redeploys all tenants of the dashboard by jobs of the automation service. @throws Error with each tenant that failed */
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
        say(`The automation service deployed ${ended} of ${jobs.length} tenants of the dashboard.`);
      }
      if (ended === jobs.length) {
        const faults = jobs.flatMap(({ slug, cause }) => (cause === null ? [] : [`${slug}: ${cause}`]));
        if (faults.length === 0) return;
        throw new Error(`Failed to deploy tenants of the dashboard.\n${faults.join("\n")}`);
      }
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    await db.destroy();
  }
}
