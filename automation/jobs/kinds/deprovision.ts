/** Destroys a tenant's stack, after a last backup in production, where the bucket is kept. The client and a pooled AI gateway stay. */
import * as z from "zod";
import { findErasure } from "#database/tenants/deletion/erasures.ts";
import { deleteRemoved, deployableTenant } from "#database/tenants/deployment.ts";
import { addJobStep, type Job } from "#database/work/jobs.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { TenantRefusal, tryStatus } from "../../outside/dispatch-worker.ts";
import { causeOf, type Run, TaskError } from "../../task.ts";
import { emptyBucket } from "../erasing.ts";
import type { JobKind, JobServices } from "../kind.ts";
import { JobOvertaken, JobRefused } from "../refusals.ts";
import { reportFailureToTenant, stacksOf, waitsForEngine } from "./deploying.ts";
import { endChannels } from "./ended-channels.ts";

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
      throw new JobOvertaken(overtakenJobs.newer_operation);
    }
    const stacks = stacksOf(means);
    const isKept = means.environment === "production" && !removal.parse(job.payload).discard_state;
    // The stack's removal only warns if it cannot make a backup.
    if (tenant !== undefined && isKept) await backUp(tenant.slug, means, run);
    if (tenant !== undefined) await recordLostMessages(job, means, run);
    if (tenant !== undefined && means.environment !== "production") await eraseBackups(job, means, run);
    const endAgain = tenant && (await endChannels(job, means, run));
    await stacks.destroy(job, job.slug, run);
    await endAgain?.();
    if (tenant !== undefined) await deleteRemoved(run.db, tenant);
    await means.dispatch.invalidate(job.slug, run.signal);
  },
  ...reportFailureToTenant(jobErrors.removal_failed),
};

/** The removal deletes the bucket of such an environment, which Cloudflare refuses while it holds objects. */
async function eraseBackups({ client_id: clientId }: Job, means: JobServices, run: Run): Promise<void> {
  const erasure = clientId === null ? undefined : await findErasure(run.db, { clientId });
  if (erasure !== undefined) await emptyBucket(erasure, means, run);
}

/** Records how many messages of the inbox are deleted with the tenant. Without effect if its Worker does not respond. */
async function recordLostMessages(job: Job, { dispatch }: JobServices, { db, signal }: Run): Promise<void> {
  const { pending, dead } = (await tryStatus(dispatch, job.slug, signal))?.inbox ?? { pending: 0, dead: 0 };
  if (pending + dead === 0) return;
  const message = `The inbox is deleted with ${pending} pending and ${dead} dead messages.`;
  await addJobStep(db, job, { message, data: { pending, dead }, progress: 0 });
}

/** @throws JobRefused if the state cannot be backed up, TaskError if a retry may help */
async function backUp(slug: string, { dispatch }: JobServices, { signal, attempt, log }: Run): Promise<void> {
  try {
    await dispatch.backUp(slug, signal);
  } catch (error) {
    const values = { cause: asSentence(causeOf(error, log)) };
    if (!(error instanceof TenantRefusal) && attempt < MAX_ATTEMPTS)
      throw new TaskError(jobErrors.last_backup_failed, values);
    throw new JobRefused(jobErrors.last_backup_refused, values);
  }
}
