/** Deploys a tenant with another plan. After a failure, the database's `job_settled` restores the client's former plan. */
import type { JobKind } from "../kind.ts";
import { reportFailureToTenant, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

export const changePlan: JobKind = {
  name: "change_plan",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await tenantOf(job, run);
    // The next provisioning uses the plan.
    if (tenant.status === "error") return;
    await stacksOf(means).up(job, tenant, run);
    await means.dispatch.invalidate(tenant.slug, run.signal);
  },
  ...reportFailureToTenant((cause) => `The change of its plan failed: ${cause} Request it again.`),
};
