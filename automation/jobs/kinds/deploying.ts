import { type DeployableTenant, deployableTenant, type Owner, setStateCause } from "#database/tenants/deployment.ts";
import type { Job } from "#database/work/jobs.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import type { TenantStacks } from "../../stacks/tenant-stacks.ts";
import type { Run } from "../../task.ts";
import type { JobKind, JobServices } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";

export const NEWER_OPERATION = "Another operation on the instance has begun.";
const NO_ENGINE =
  "The automation service cannot deploy tenants. Set PLATFORM_STACK and the variables that it requires.";

/** A service without an engine leaves the job to one that has it. */
export async function waitsForEngine(_job: Job, _run: Run, { stacks }: JobServices): Promise<string | undefined> {
  return stacks === undefined ? NO_ENGINE : undefined;
}

export function stacksOf({ stacks }: JobServices): TenantStacks {
  if (stacks === undefined) throw new JobRefused(NO_ENGINE);
  return stacks;
}

/** Returns the tenant of a failed job; `undefined` if it is deleted, or another operation has begun. */
export async function stillTenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant | undefined> {
  const tenant = await deployableTenant(db, job, owner);
  return tenant?.generation === job.generation ? tenant : undefined;
}

/** Returns a `failed` handler that records the cause at the instance. @param owner of the instance */
export const reportFailureToTenant = (
  textOf: (cause: string) => string,
  owner?: Owner,
): Required<Pick<JobKind, "failed">> => ({
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run, owner);
    if (tenant !== undefined) await setStateCause(run.db, tenant, textOf(cause));
  },
});

/** Returns the tenant of a job. @throws JobOvertaken if it is deleted or has another owner, or another operation has begun */
export async function tenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant> {
  const tenant = await deployableTenant(db, job, owner);
  if (tenant === undefined) throw new JobOvertaken("The instance was deleted, or is declared in Git now.");
  if (job.generation !== null && job.generation !== tenant.generation) {
    throw new JobOvertaken(NEWER_OPERATION);
  }
  return tenant;
}

/** Turns a refusal of the tenant's Worker into JobRefused. @param more second sentence */
export async function orRefuse<T>(call: Promise<T>, more = ""): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof TenantRefusal ? new JobRefused(`${error.message}${more}`) : error;
  }
}
