/** Erases a client: deletes its backups and service tokens, and checks that Cloudflare has nothing of it. */
import { LATE_LIST_MS, readLate, systemClock } from "@tenantry/cloudflare-client/late-list";
import {
  beginErasure,
  clientCreatedAt,
  type Erasure,
  findErasure,
  recordCheck,
} from "#database/tenants/deletion/erasures.ts";
import { hostnameOfToken } from "#domain/access/service-token.ts";
import { RESOURCE_KINDS, type TenantResource, tenantResources } from "#domain/erasures/resources.ts";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { jobErrors, overtakenJobs } from "#domain/errors/service/automation-jobs.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import type { AccessTokens } from "../outside/access-tokens.ts";
import { type Run, TaskError } from "../task.ts";
import type { ErasingServices, JobServices } from "./kind.ts";
import { JobOvertaken, JobRefused } from "./refusals.ts";

function erasingOf({ erasing }: JobServices): ErasingServices {
  if (erasing === undefined) throw new JobRefused(jobErrors.job_without_engine);
  return erasing;
}

/**
 * Empties the client's bucket, after it has recorded the content. A killed attempt is continued.
 * @returns name of the bucket; undefined if the client has none
 * @throws JobOvertaken if the client was restored
 */
export async function emptyBucket(erasure: Erasure, means: JobServices, run: Run): Promise<string | undefined> {
  const { slug, environment, client_id: clientId } = erasure;
  const { buckets } = erasingOf(means);
  const bucket = tenantNames(slug, environment).backupBucket;
  const content = await ownContent(bucket, erasure, means, run);
  if (!(await beginErasure(run.db, clientId, content ?? null))) throw new JobOvertaken(overtakenJobs.deletion_undone);
  if (content === undefined) return undefined;
  await buckets.empty(bucket, run.signal);
  return bucket;
}

/** A bucket that is older than a client without an instance belongs to an earlier client with its slug. */
async function ownContent(bucket: string, { client_id, worker_name }: Erasure, means: JobServices, run: Run) {
  const content = await erasingOf(means).buckets.read(bucket, run.signal);
  if (content === undefined || worker_name !== null) return content;
  const createdAt = await clientCreatedAt(run.db, client_id);
  return createdAt !== undefined && content.createdAt >= createdAt ? content : undefined;
}

/**
 * Deletes what a teardown leaves, and records that Cloudflare has nothing of the client any more. A killed attempt is repeated.
 * @throws TaskError if Cloudflare has a resource, or does not state that it has none
 */
export async function eraseAndCheck(erasure: Erasure, means: JobServices, run: Run): Promise<void> {
  const { client_id: clientId, slug, environment } = erasure;
  const { buckets, tokens, remaining, domain } = erasingOf(means);
  const bucket = await emptyBucket(erasure, means, run);
  if (bucket !== undefined) await buckets.delete(bucket, run.signal);
  await deleteServiceTokens(tenantHostname(slug, environment, domain), tokens, run);
  const begun = (await findErasure(run.db, { clientId })) ?? erasure;
  const resources = tenantResources(begun, domain);
  let present: readonly TenantResource[] = resources;
  await readLate(async () => {
    present = await remaining.find(present, run.signal);
    return present.length === 0 || undefined;
  }, systemClock.now() + LATE_LIST_MS);
  if (present.length > 0) {
    const listed = present.map(({ kind, name }) => `${RESOURCE_KINDS[kind]} '${name}'`).join("; ");
    throw new TaskError(outsideErrors.erasure_incomplete, { resources: listed });
  }
  await recordCheck(run.db, clientId, resources);
}

/** The next reconciliation would delete them, too late for the certificate. The check fails if the token may not read them. */
async function deleteServiceTokens(host: string, tokens: AccessTokens, { signal }: Run): Promise<void> {
  for (const { id, name } of (await tokens.list(signal)) ?? [])
    if (hostnameOfToken(name) === host) await tokens.delete(id, signal);
}
