import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isSameStack, platformStacksOf } from "#automation/engine/platform-stacks.ts";
import { secretOutput } from "#automation/engine/state/backend.ts";
import { readRedeployments, requestRedeployments } from "#database/tenants/redeployment.ts";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import type { Environment } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRotationErrors } from "#domain/errors/commands/fleet-rotation.ts";
import { readLoosely } from "../files/stack-file.ts";
import { findTargets } from "../files/target.ts";
import { differenceBy } from "../outcome/prices.ts";
import { openServiceDatabase } from "../postgres/service-database.ts";
import { eachAtMost } from "../runs/bounded.ts";
import { stackDeployer } from "../runs/deploy.ts";
import type { RotateOptions } from "./options.ts";
import type { PlatformFile } from "./platform-file.ts";

/** Deploys all tenants of a platform, which then have its new secrets. @throws Error with each tenant that failed */
export async function deployTenants(file: PlatformFile, options: RotateOptions): Promise<void> {
  await deployTenantStacks(options);
  await deployDashboardTenants(file.environment, options);
}

/** Deploys every stack whose file names the platform. @throws Error with each stack that failed */
async function deployTenantStacks(options: RotateOptions): Promise<void> {
  const { directory, stack, parallel } = options;
  if (!existsSync(directory)) return;
  const targets = (await findTargets({ directory, since: undefined, stacks: [] })).filter(({ stack: name, text }) =>
    platformStacksOf(readLoosely(name, text).config).some((platform) => isSameStack(platform, stack)),
  );
  const difference = differenceBy(DEFAULT_PRICES, new Date().toISOString().slice(0, 10));
  const deploy = stackDeployer({ ...options, difference, destroy: false });
  const faults = await eachAtMost(parallel, targets, (target) =>
    deploy(target).then(
      () => [],
      (error: unknown) => [`${target.stack}: ${(error as Error).message}`],
    ),
  );
  if (faults.flat().length > 0)
    throw new CatalogueError(fleetRotationErrors.rotation_stacks_failed, { faults: faults.flat().join("\n") });
}

const POLL_MS = 1_000;

type DashboardTenantsOptions = Pick<RotateOptions, "secret" | "stack" | "variables" | "signal" | "say">;

/** Redeploys all tenants of the dashboard by jobs of the automation service. @throws Error with each tenant that failed */
async function deployDashboardTenants(
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
        throw new CatalogueError(fleetRotationErrors.rotation_jobs_failed, { faults: faults.join("\n") });
      }
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    await db.destroy();
  }
}
