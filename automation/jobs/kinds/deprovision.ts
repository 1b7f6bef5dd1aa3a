/**
 * Takes a tenant's stack away: backed up for the last time in production, where its bucket is kept; a gateway of its own goes with it, a
 * pooled one stays. Its client stays too.
 */
import * as z from "zod";
import { deleteRemoved, deployableTenant } from "#database/tenants/deployment.ts";
import { TenantRefusal } from "../../outside/dispatch-worker.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import type { JobKind, Means } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { failing, stacksOf, waitsForEngine } from "./deploying.ts";

/** What the API asks for. */
const removal = z.object({ discard_state: z.boolean().default(false) });

/** Tries at a last backup: each may take minutes. */
const MOST_TRIES = 4;

export const deprovision: JobKind = {
  name: "deprovision",
  waitsFor: waitsForEngine,
  async run(job, means, run) {
    const tenant = await deployableTenant(run.db, job);
    // Once its row is gone an earlier try is gone on with; the API makes no other before that has ended.
    if (tenant !== undefined && job.generation !== null && tenant.generation !== job.generation) {
      throw new JobOvertaken("Another operation on the instance has begun since.");
    }
    const stacks = stacksOf(means);
    const isKept = means.environment === "production" && !removal.parse(job.payload).discard_state;
    // What the stack's own removal cannot back up any more it only warns of.
    if (tenant !== undefined && isKept) await backUp(tenant.slug, means, run);
    await stacks.destroy(job, job.slug, run);
    if (tenant !== undefined) await deleteRemoved(run.db, tenant);
    await means.dispatch.invalidate(job.slug, run.signal);
  },
  ...failing((cause) => `Its removal failed, and it stays stopped: ${cause} Ask for the removal again.`),
};

/** @throws JobRefused where its state cannot be backed up, TaskError where it may be yet */
async function backUp(slug: string, { dispatch }: Means, { signal, attempt, log }: Run): Promise<void> {
  try {
    await dispatch.backUp(slug, signal);
  } catch (error) {
    const why = `Its state could not be backed up for the last time, so nothing of it was removed: ${causeOf(error, log)}`;
    if (!(error instanceof TenantRefusal) && attempt < MOST_TRIES) throw new TaskError(why);
    throw new JobRefused(`${why} Mend that, or give its state up by discard_state.`);
  }
}
