/** Deploys another gateway token, and restarts a running gateway, which still has the former one. */
import * as z from "zod";
import { raiseTokenVersion } from "#database/tenants/deployment.ts";
import { jobErrors } from "#domain/errors/service/automation-jobs.ts";
import type { JobKind } from "../kind.ts";
import { reportFailureToTenant, stacksOf, tenantOf, waitsForEngine } from "./deploying.ts";

const rotation = z.object({ version: z.int() });

export const rotateToken: JobKind = {
  name: "rotate_token",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const { version } = rotation.parse(job.payload);
    const tenant = await tenantOf(job, run);
    await raiseTokenVersion(run.db, tenant, version);
    await stacksOf(means).up(job, { ...tenant, tokenVersion: Math.max(version, tenant.tokenVersion) }, run);
    const { sandbox } = await means.dispatch.status(tenant.slug, run.signal);
    if (sandbox !== "asleep") await means.dispatch.restart(tenant.slug, run.signal);
  },
  ...reportFailureToTenant(jobErrors.token_rotation_failed),
};
