/** Another deployment of a tenant as it is declared: its stack gets what the platform gives it now, such as rotated secrets. */
import type { JobKind } from "../kind.ts";
import { stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

export const redeploy: JobKind = {
  name: "redeploy",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await tenantOf(job, run);
    // Any other has no stack, or a part of one, which its next provisioning completes.
    if (tenant.status !== "running" && tenant.status !== "frozen") return;
    await stacksOf(means).up(job, tenant, run);
  },
};
