/**
 * A change of a tenant's plan: its Worker and its container by its stack. Where that comes to nothing the tenant runs on as it was, and its
 * client has the plan of before again (the database's `job_settled`).
 */
import type { JobKind } from "../kind.ts";
import { failing, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

export const changePlan: JobKind = {
  name: "change_plan",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await tenantOf(job, run);
    // The next provisioning has it.
    if (tenant.status === "error") return;
    await stacksOf(means).up(job, tenant, run);
    await means.dispatch.invalidate(tenant.slug, run.signal);
  },
  ...failing((cause) => `The change of its plan failed: ${cause} Ask for it again.`),
};
