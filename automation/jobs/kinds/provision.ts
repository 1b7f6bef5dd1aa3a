/**
 * From a row to a tenant that runs: its stack deployed, the dispatch Worker told, its gateway started. What fails leaves the instance in
 * error with its binding, so that asking again goes on from what is made.
 */
import { setRunning } from "#database/health/polled-instances.ts";
import { failProvisioning, noteCause } from "#database/tenants/deployment.ts";
import { adoptDefaults, storeReport } from "#database/versions/versions.ts";
import { noteJob } from "#database/work/jobs.ts";
import { dedicatedGatewayId } from "#domain/ai-gateways/gateway-selection.ts";
import { sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";
import { stacksOf, stillTenantOf, tenantOf, waitsForEngine } from "./deploying.ts";
import { startGateway } from "./starting.ts";

export const provision: JobKind = {
  name: "provision",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const found = await tenantOf(job, run);
    if (found.isNew) await adoptDefaults(run.db, found.instanceId);
    const tenant = found.isNew ? await tenantOf(job, run) : found;
    if (tenant.status === "running") return;
    if (tenant.status !== "provisioning") throw new JobOvertaken(`The instance is ${tenant.status} by now.`);
    const dedicated = tenant.gatewayId === dedicatedGatewayId(tenant.slug, means.environment);
    if (tenant.isNew) await means.capacity?.refuseBeyond({ dedicated, plan: tenant.plan }, run);
    await stacksOf(means).up(job, tenant, run);
    await noteCause(run.db, tenant, "It is deployed, and its gateway is being started.");
    await means.dispatch.invalidate(tenant.slug, run.signal);
    await noteJob(run.db, job.id, "starting", "The gateway is being started.");
    // One that takes longer is waited for by the polling of its health, until the instance's deadline.
    const { ready } = await startGateway(tenant.slug, means.dispatch, run.signal);
    if (!ready) return;
    await setRunning(run.db, { id: tenant.instanceId, generation: Number(tenant.generation) });
    const told = await means.dispatch.status(tenant.slug, run.signal).catch(() => undefined);
    const { data: status } = sandboxStatus.safeParse(told);
    if (status !== undefined) await storeReport(run.db, tenant.instanceId, status);
  },
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run);
    if (tenant === undefined) return;
    const remedy = "What is made stays, with its AI gateway: mend that and create the instance again, and it goes on.";
    await failProvisioning(run.db, tenant, `${cause} ${remedy}`);
  },
};
