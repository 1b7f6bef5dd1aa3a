import { type DeployableTenant, deployableTenant, type Owner, setStateCause } from "#database/tenants/deployment.ts";
import type { Job } from "#database/work/jobs.ts";
import { errorText } from "#domain/errors/catalogue.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import type { TenantStacks } from "../../stacks/tenant-stacks.ts";
import type { Run } from "../../task.ts";
import type { JobKind, JobServices } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";

/** A service without an engine leaves the job to one that has it. */
export async function waitsForEngine(_job: Job, _run: Run, { stacks }: JobServices): Promise<string | undefined> {
  return stacks === undefined ? errorText(jobErrors.job_without_engine) : undefined;
}

export function stacksOf({ stacks }: JobServices): TenantStacks {
  if (stacks === undefined) throw new JobRefused(jobErrors.job_without_engine);
  return stacks;
}

/** Returns the tenant of a failed job; `undefined` if it is deleted, or another operation has begun. */
export async function stillTenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant | undefined> {
  const tenant = await deployableTenant(db, job, owner);
  return tenant?.generation === job.generation ? tenant : undefined;
}

type FailedOperation = (typeof jobErrors)[
  | "gateway_move_failed"
  | "plan_change_failed"
  | "token_rotation_failed"
  | "removal_failed"
  | "restore_failed"];

/** Returns a `failed` handler that records the cause at the instance. @param owner of the instance */
export const reportFailureToTenant = (entry: FailedOperation, owner?: Owner): Required<Pick<JobKind, "failed">> => ({
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run, owner);
    if (tenant !== undefined) await setStateCause(run.db, tenant, errorText(entry, { cause }));
  },
});

/** Returns the tenant of a job. @throws JobOvertaken if it is deleted or has another owner, or another operation has begun */
export async function tenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant> {
  const tenant = await deployableTenant(db, job, owner);
  if (tenant === undefined) throw new JobOvertaken(overtakenJobs.instance_gone);
  if (job.generation !== null && job.generation !== tenant.generation) {
    throw new JobOvertaken(overtakenJobs.newer_operation);
  }
  return tenant;
}

/** Turns a refusal of the tenant's Worker into JobRefused. @param entry around the Worker's text. Default: that text alone */
export async function orRefuse<T>(call: Promise<T>, entry?: typeof jobErrors.version_not_backed_up): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof TenantRefusal)) throw error;
    throw entry === undefined ? new JobRefused(error) : new JobRefused(entry, { fault: error.message });
  }
}
