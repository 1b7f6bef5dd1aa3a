/** Moves a tenant to another AI gateway. It holds its slot of the former gateway until the job ends, and returns to it after a failure. */
import * as z from "zod";
import { holdSlot } from "#database/tenants/deployment.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { reportFailureToTenant, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

const move = z.object({ from: z.string().nullable(), ai_gateway_id: z.string() });

export const assignGateway: JobKind = {
  name: "assign_gateway",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { from, ai_gateway_id: to } = move.parse(job.payload);
    const tenant = await tenantOf(job, run);
    if (tenant.status === "error") throw new JobOvertaken(overtakenJobs.gateway_left_to_provisioning);
    // An earlier attempt may have moved it.
    if (tenant.gatewayId === from) await holdSlot(run.db, tenant);
    const stacks = stacksOf(means);
    try {
      await stacks.up(job, tenant, run, to);
    } catch (error) {
      if (!(error instanceof JobRefused) || from === null) throw error;
      await stacks.up(job, tenant, run, from);
      throw new JobRefused(jobErrors.gateway_move_rolled_back, { fault: error.message, gateway: from });
    }
    await means.dispatch.invalidate(tenant.slug, run.signal);
  },
  ...reportFailureToTenant(jobErrors.gateway_move_failed),
};
