/** Backup buckets of earlier deployments. A new tenant with the same slug gets one only with its operator's consent. */
import { getR2Bucket } from "@pulumi/cloudflare/getR2Bucket.js";
import * as pulumi from "@pulumi/pulumi";
import { errorFault, errorLine, type Fault } from "#domain/errors/catalogue-error.ts";
import { planErrors, planRefusals } from "#domain/errors/stack/stack-plan.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { qualifiedStack } from "../current-stack.ts";
import { readResourceOutputs } from "../outputs.ts";
import { refuseFaults } from "../refusal.ts";
import { ADOPT_BUCKETS_VARIABLE, type RunFlags } from "../settings/run-flags.ts";
import type { FleetPlanArgs } from "./plan.ts";

export interface EarlierBucketsArgs
  extends Pick<FleetPlanArgs, "environment" | "clients" | "snapshot" | "managedBy">,
    Pick<RunFlags, "adoptBuckets" | "keptBackups"> {
  /** Undefined in a preview without a deployed platform. */
  accountId: string | undefined;
}

/** Cloudflare's response for a missing bucket: HTTP 404, code 10006. */
const NO_BUCKET = /\b(404|10006)\b/;
const BUCKET = "cloudflare:index/r2Bucket:R2Bucket";

/**
 * Finds existing buckets of new tenants. A bucket can hold the data of another customer, so its name alone is no reason to adopt it.
 * @returns import ids of the buckets to adopt, by slug
 * @throws RunError with each bucket that exists without consent, and each to adopt that does not exist
 */
export async function findKeptBuckets(args: EarlierBucketsArgs): Promise<Readonly<Record<string, string>>> {
  const { accountId, environment, clients, snapshot, adoptBuckets: adopt } = args;
  if (accountId === undefined) return {};
  if (args.managedBy === "dashboard") return ownBuckets({ ...args, accountId });
  const slugs = clients.map(({ slug }) => slug);
  const variable = ADOPT_BUCKETS_VARIABLE;
  const lines = [...adopt]
    .filter((slug) => !slugs.includes(slug))
    .map((slug) => errorLine(planErrors.adopted_client_not_declared, { slug, variable }));
  const found: Record<string, string> = {};
  // The row of an instance is created after its bucket.
  const candidates = slugs
    .filter((slug) => adopt.has(slug) || (snapshot.read && snapshot.clients[slug]?.hasInstance !== true))
    .map((slug) => ({ slug, name: tenantNames(slug, environment).backupBucket }));
  const existing = await Promise.all(candidates.map(({ name }) => readCreationDate(accountId, name)));
  const own = existing.some((created) => created !== undefined) ? await readOwnBuckets() : new Set<string>();
  for (const [index, { slug, name }] of candidates.entries()) {
    const created = existing[index];
    const client = snapshot.clients[slug];
    if (adopt.has(slug) && created === undefined)
      lines.push(errorLine(planErrors.adopted_bucket_not_found, { slug, bucket: name, variable }));
    else if (adopt.has(slug)) found[slug] = importId(accountId, name);
    // After a restore the database can lack the row of a tenant that this stack has.
    else if (created === undefined || own.has(name)) continue;
    else if (client === undefined)
      lines.push(errorFault(planErrors.kept_bucket_of_deployment, { slug, bucket: name, variable }));
    // A tenant's row is created before its bucket. The state lacks the bucket if Cloudflare's response to its creation was lost.
    else if (created >= client.createdAt) found[slug] = importId(accountId, name);
  }
  refuseFaults(planRefusals.kept_buckets_found, lines);
  return found;
}

/**
 * Finds the buckets of the dashboard's clients that had an instance before. The client's row remains when its instance is deleted,
 * so a bucket that is newer than the row is the client's own. An older one needs the consent of a platform root.
 */
async function ownBuckets(args: EarlierBucketsArgs & { accountId: string }): Promise<Readonly<Record<string, string>>> {
  const { accountId, environment, clients, snapshot, adoptBuckets, keptBackups } = args;
  const lines: Fault[] = [];
  const found: Record<string, string> = {};
  for (const { slug } of clients.filter(({ slug }) => adoptBuckets.has(slug))) {
    const name = tenantNames(slug, environment).backupBucket;
    const created = await readCreationDate(accountId, name);
    const client = snapshot.clients[slug]?.createdAt;
    if (created === undefined || client === undefined) continue;
    if (created >= client || keptBackups.has(slug)) found[slug] = importId(accountId, name);
    else lines.push(errorFault(planErrors.kept_bucket_of_client, { slug, bucket: name }));
  }
  refuseFaults(planRefusals.kept_buckets_found, lines);
  return found;
}

/** Returns the names of the buckets in this stack's state. The outputs of a failed run need not match its resources. */
async function readOwnBuckets(): Promise<ReadonlySet<string>> {
  const resources = await readResourceOutputs(qualifiedStack());
  return new Set(
    resources.flatMap(({ type, outputs: { name } }) => (type === BUCKET && typeof name === "string" ? [name] : [])),
  );
}

const importId = (accountId: string, bucket: string) => `${accountId}/${bucket}/default`;

/** Returns undefined for a missing bucket, and for one that cannot be read: the run then fails by itself. */
async function readCreationDate(accountId: string, bucketName: string): Promise<Date | undefined> {
  try {
    return new Date((await getR2Bucket({ accountId, bucketName })).creationDate);
  } catch (error) {
    const reason = (error as Error).message.replace(/^invocation of \S+ returned an error: /, "");
    if (!NO_BUCKET.test(reason)) pulumi.log.warn(`failed to check whether the bucket ${bucketName} exists: ${reason}`);
    return undefined;
  }
}
