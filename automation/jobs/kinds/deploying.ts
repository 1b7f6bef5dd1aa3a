/** What operations that run the engine have in common. */
import { type DeployableTenant, deployableTenant, noteCause, type Owner } from "#database/tenants/deployment.ts";
import type { Job } from "#database/work/jobs.ts";
import type { TenantStacks } from "../../stacks/tenant-stacks.ts";
import type { Run } from "../../task.ts";
import type { JobKind, Means } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";

const NO_ENGINE =
  "The automation service is not told of the platform's stack, so that it can deploy nothing: set PLATFORM_STACK and what goes with it.";

/** A service that runs no engine leaves the job to one that does. */
export async function waitsForEngine(_job: Job, _run: Run, { stacks }: Means): Promise<string | undefined> {
  return stacks === undefined ? NO_ENGINE : undefined;
}

export function stacksOf({ stacks }: Means): TenantStacks {
  if (stacks === undefined) throw new JobRefused(NO_ENGINE);
  return stacks;
}

/** The tenant that a failure is about; `undefined` when it is gone, or another operation has begun since. */
export async function stillTenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant | undefined> {
  const tenant = await deployableTenant(db, job, owner);
  return tenant?.generation === job.generation ? tenant : undefined;
}

/** Says at the instance that an operation failed, which leaves it as it was. @param told of why @param owner of the instance */
export const failing = (told: (cause: string) => string, owner?: Owner): Required<Pick<JobKind, "failed">> => ({
  async failed(job, cause, run) {
    const tenant = await stillTenantOf(job, run, owner);
    if (tenant !== undefined) await noteCause(run.db, tenant, told(cause));
  },
});

/** The tenant of a job as it is now. @throws JobOvertaken when another operation has begun since, or it is gone, or not that owner's */
export async function tenantOf(job: Job, { db }: Run, owner?: Owner): Promise<DeployableTenant> {
  const tenant = await deployableTenant(db, job, owner);
  if (tenant === undefined) throw new JobOvertaken("The instance is gone, or is declared in Git now.");
  if (job.generation !== null && job.generation !== tenant.generation) {
    throw new JobOvertaken("Another operation on the instance has begun since.");
  }
  return tenant;
}
