/** Deploys a tenant again, for new values of the platform such as rotated secrets. */
import type { JobKind } from "../kind.ts";
import { stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

export const redeploy: JobKind = {
  name: "redeploy",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await tenantOf(job, run);
    // Others are deployed completely by their next provisioning.
    if (tenant.status !== "running" && tenant.status !== "frozen") return;
    await stacksOf(means).up(job, tenant, run);
  },
};
