/** Destroys a tenant's stack, after a last backup in production, where the bucket is kept. The client and a pooled AI gateway stay. */
import * as z from "zod";
import { deleteRemoved, deployableTenant } from "#database/tenants/deployment.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import type { JobKind, JobServices } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { NEWER_OPERATION, reportFailureToTenant, stacksOf, waitsForEngine } from "./deploying.ts";

const removal = z.object({ discard_state: z.boolean().default(false) });

/** Attempts of the last backup; each may take minutes. */
const MAX_ATTEMPTS = 4;

export const deprovision: JobKind = {
  name: "deprovision",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await deployableTenant(run.db, job);
    // Without a row, this continues an earlier attempt: the API creates no other row before that ends.
    if (tenant !== undefined && job.generation !== null && tenant.generation !== job.generation) {
      throw new JobOvertaken(NEWER_OPERATION);
    }
    const stacks = stacksOf(means);
    const isKept = means.environment === "production" && !removal.parse(job.payload).discard_state;
    // The stack's removal only warns if it cannot make a backup.
    if (tenant !== undefined && isKept) await backUp(tenant.slug, means, run);
    await stacks.destroy(job, job.slug, run);
    if (tenant !== undefined) await deleteRemoved(run.db, tenant);
    await means.dispatch.invalidate(job.slug, run.signal);
  },
  ...reportFailureToTenant(
    (cause) => `The removal failed, and the instance stays stopped: ${cause} Request the removal again.`,
  ),
};

/** @throws JobRefused if the state cannot be backed up, TaskError if a retry may help */
async function backUp(slug: string, { dispatch }: JobServices, { signal, attempt, log }: Run): Promise<void> {
  try {
    await dispatch.backUp(slug, signal);
  } catch (error) {
    const why = `Failed to make the last backup, so nothing was removed: ${causeOf(error, log)}`;
    if (!(error instanceof TenantRefusal) && attempt < MAX_ATTEMPTS) throw new TaskError(why);
    throw new JobRefused(`${why} Correct that, or discard the state with discard_state.`);
  }
}
