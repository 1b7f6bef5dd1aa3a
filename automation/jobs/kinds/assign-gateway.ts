/**
 * A tenant's move to another AI gateway. Its slot of the old one stays its own until the job ends, when the Worker that binds the new one is
 * deployed; where that fails, it goes back.
 */
import * as z from "zod";
import { holdSlot } from "#database/tenants/deployment.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { failing, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

/** What the API asks for. */
const move = z.object({ from: z.string().nullable(), ai_gateway_id: z.string() });

export const assignGateway: JobKind = {
  name: "assign_gateway",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { from, ai_gateway_id: to } = move.parse(job.payload);
    const tenant = await tenantOf(job, run);
    if (tenant.status === "error")
      throw new JobOvertaken("The instance is in error: provision it anew, with that gateway.");
    // A try before may have moved it already.
    if (tenant.gatewayId === from) await holdSlot(run.db, tenant);
    const stacks = stacksOf(means);
    try {
      await stacks.up(job, tenant, run, to);
    } catch (error) {
      if (!(error instanceof JobRefused) || from === null) throw error;
      await stacks.up(job, tenant, run, from);
      throw new JobRefused(`${error.message} It binds ${from} as before.`);
    }
    await means.dispatch.invalidate(tenant.slug, run.signal);
  },
  ...failing((cause) => `Its move to another AI gateway failed: ${cause} Ask for it again.`),
};
