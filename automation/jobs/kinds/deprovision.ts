/**
 * Takes a tenant's stack away: backed up for the last time in production, where its bucket is kept; a gateway of its own goes with it, a
 * pooled one stays. Its client stays too.
 */
import { deployableTenant } from "../../../database/tenants/deployment.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";
import { failing, stacksOf, waitsForEngine } from "./deploying.ts";

export const deprovision: JobKind = {
  name: "deprovision",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await deployableTenant(run.db, job);
    // Once its row is gone an earlier try is gone on with; the API makes no other before that has ended.
    if (tenant !== undefined && job.generation !== null && tenant.generation !== job.generation) {
      throw new JobOvertaken("Another operation on the instance has begun since.");
    }
    await stacksOf(means).destroy(job, job.slug, run);
    await means.dispatch.invalidate(job.slug, run.signal);
  },
  ...failing((cause) => `Its removal failed, and it stays stopped: ${cause} Ask for the removal again.`),
};
