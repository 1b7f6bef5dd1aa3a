/** Changes of a tenant that its stack carries out, while it stays what it is where they fail. */
import * as z from "zod";
import { type DeployableTenant, deployableTenant, noteCause } from "../../../database/tenants/deployment.ts";
import type { Job } from "../../../database/work/jobs.ts";
import type { JobKind } from "../kind.ts";
import { stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

/** @param gatewayOf AI gateway that it is to bind, where that is not its row's */
const redeploy = (
  name: string,
  what: string,
  gatewayOf: (job: Job, tenant: DeployableTenant) => string | null,
): JobKind => ({
  name,
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await tenantOf(job, run);
    // The next provisioning has it.
    if (tenant.status === "error") return;
    await stacksOf(means).up(job, tenant, run, gatewayOf(job, tenant));
    await means.dispatch.invalidate(tenant.slug, run.signal);
  },
  async failed(job, cause, { db }) {
    const tenant = await deployableTenant(db, job);
    if (tenant === undefined || tenant.generation !== job.generation) return;
    await noteCause(db, tenant, `${what} failed: ${cause} Ask for it again.`);
  },
});

export const changePlan: JobKind = redeploy(
  "change_plan",
  "The change of its plan",
  (_job, { gatewayId }) => gatewayId,
);

const move = z.object({ ai_gateway_id: z.string() });

export const assignGateway: JobKind = redeploy(
  "assign_gateway",
  "Its move to another AI gateway",
  ({ payload }) => move.parse(payload).ai_gateway_id,
);
