/** Deletes the backups of a client that is erased. */
import { beginErasure, clientCreatedAt, type Erasure } from "#database/tenants/deletion/erasures.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import type { BackupBuckets } from "../outside/backup-buckets.ts";
import type { Run } from "../task.ts";
import type { JobServices } from "./kind.ts";
import { JobOvertaken, JobRefused } from "./refusals.ts";

export function bucketsOf({ buckets }: JobServices): BackupBuckets {
  if (buckets === undefined) throw new JobRefused(jobErrors.job_without_engine);
  return buckets;
}

/**
 * Empties the client's bucket, after it has recorded the content. A killed attempt is continued.
 * @returns name of the bucket; undefined if the client has none
 * @throws JobOvertaken if the client was restored
 */
export async function emptyBucket(erasure: Erasure, means: JobServices, run: Run): Promise<string | undefined> {
  const { slug, environment, client_id: clientId } = erasure;
  const buckets = bucketsOf(means);
  const bucket = tenantNames(slug, environment).backupBucket;
  const content = await ownContent(bucket, erasure, means, run);
  if (!(await beginErasure(run.db, clientId, content ?? null))) throw new JobOvertaken(overtakenJobs.deletion_undone);
  if (content === undefined) return undefined;
  await buckets.empty(bucket, run.signal);
  return bucket;
}

/** A bucket that is older than a client without an instance belongs to an earlier client with its slug. */
async function ownContent(bucket: string, { client_id, worker_name }: Erasure, means: JobServices, run: Run) {
  const content = await bucketsOf(means).read(bucket, run.signal);
  if (content === undefined || worker_name !== null) return content;
  const createdAt = await clientCreatedAt(run.db, client_id);
  return createdAt !== undefined && content.createdAt >= createdAt ? content : undefined;
}
