/** Deploys a new tenant and starts its gateway. After a failure, the instance keeps its AI gateway, and another request continues. */
import { setRunning } from "#database/health/polled-instances.ts";
import { failProvisioning, setStateCause } from "#database/tenants/deployment.ts";
import { adoptDefaults, storeReport } from "#database/versions/versions.ts";
import { addJobEvent } from "#database/work/jobs.ts";
import { dedicatedGatewayId } from "#domain/ai-gateways/gateway-selection.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { tryStatus } from "../../outside/dispatch-worker.ts";
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
    if (tenant.status !== "provisioning") {
      throw new JobOvertaken(overtakenJobs.instance_changed_status, { status: tenant.status });
    }
    const dedicated = tenant.gatewayId === dedicatedGatewayId(tenant.slug, means.environment);
    if (tenant.isNew) await means.capacity?.refuseBeyond({ dedicated, plan: tenant.plan }, run);
    await stacksOf(means).up(job, tenant, run);
    await setStateCause(run.db, tenant, "The instance is deployed, and its gateway is starting.");
    await means.dispatch.invalidate(tenant.slug, run.signal);
    await addJobEvent(run.db, job.id, "starting", "The gateway is starting.");
    // Health polling waits for a gateway that takes longer.
    const { ready } = await startGateway(tenant.slug, means.dispatch, run.signal);
    if (!ready) return;
    await setRunning(run.db, { id: tenant.instanceId, generation: Number(tenant.generation) });
    const status = await tryStatus(means.dispatch, tenant.slug, run.signal);
    if (status !== undefined) await storeReport(run.db, tenant.instanceId, status);
  },
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run);
    if (tenant === undefined) return;
    await failProvisioning(run.db, tenant, errorText(jobErrors.provisioning_failed, { cause }));
  },
};
