/**
 * From a row to a tenant that runs: its stack deployed, the dispatch Worker told, its gateway started. What fails leaves the instance in
 * error with its binding, so that asking again goes on from what is made.
 */
import { setTimeout as pause } from "node:timers/promises";
import { setRunning } from "../../../database/health/polled-instances.ts";
import { type DeployableTenant, failProvisioning, noteCause } from "../../../database/tenants/deployment.ts";
import { adoptDefaults } from "../../../database/versions/versions.ts";
import { noteJob } from "../../../database/work/jobs.ts";
import { dedicatedGatewayId } from "../../../domain/ai-gateways/gateway-selection.ts";
import { healthSnapshot } from "../../../workers/contracts/health-snapshot.ts";
import type { DispatchWorker } from "../../outside/dispatch-worker.ts";
import type { Run } from "../../task.ts";
import type { JobKind } from "../kind.ts";
import { JobOvertaken } from "../refusals.ts";
import { stacksOf, stillTenantOf, tenantOf, waitsForEngine } from "./deploying.ts";

/** How long its start is waited for; afterwards the polling of its health does, until the instance's deadline. */
const START_MS = 60_000;
const BETWEEN_LOOKS_MS = 1_500;

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
    if (tenant.isNew) await means.capacity?.refuseBeyond({ dedicated }, run);
    await stacksOf(means).up(job, tenant, run);
    await noteCause(run.db, tenant, "It is deployed, and its gateway is being started.");
    await means.dispatch.invalidate(tenant.slug, run.signal);
    await noteJob(run.db, job.id, "starting", "The gateway is being started.");
    await start(tenant, means.dispatch, run);
  },
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run);
    if (tenant === undefined) return;
    const remedy = "What is made stays, with its AI gateway: mend that and create the instance again, and it goes on.";
    await failProvisioning(run.db, tenant, `${cause} ${remedy}`);
  },
};

/** Has its gateway start, and the instance run as soon as that is ready. */
async function start(tenant: DeployableTenant, dispatch: DispatchWorker, { db, signal }: Run): Promise<void> {
  const end = performance.now() + START_MS;
  while (performance.now() < end && !signal.aborted) {
    const look = await dispatch.start(tenant.slug, signal).catch(() => undefined);
    const { data } = healthSnapshot.safeParse(look);
    if (data?.startup.ok && data.readiness.ok) {
      await setRunning(db, { id: tenant.instanceId, generation: Number(tenant.generation) });
      return;
    }
    await pause(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
  }
}
