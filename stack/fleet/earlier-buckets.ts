/** Backup buckets of earlier deployments. A new tenant with the same slug gets one only with its operator's consent. */
import { getR2Bucket } from "@pulumi/cloudflare/getR2Bucket.js";
import * as pulumi from "@pulumi/pulumi";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { qualifiedStack } from "../current-stack.ts";
import { OutputError, OutputReader } from "../outputs.ts";
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
  const lines = [...adopt]
    .filter((slug) => !slugs.includes(slug))
    .map((slug) => `${slug}: this stack declares no such client`);
  const found: Record<string, string> = {};
  // A tenant's row is created before its bucket, so a tenant with a row owns its bucket.
  const candidates = slugs
    .filter((slug) => adopt.has(slug) || (snapshot.read && !(slug in snapshot.clients)))
    .map((slug) => ({ slug, name: tenantNames(slug, environment).backupBucket }));
  const existing = await Promise.all(
    candidates.map(async ({ name }) => (await readCreationDate(accountId, name)) !== undefined),
  );
  // After a restore the database can lack the row of a tenant that this stack has.
  const deployed = existing.includes(true) ? await readDeployedTenants() : new Set<string>();
  for (const [index, { slug, name }] of candidates.entries()) {
    if (adopt.has(slug) && existing[index]) found[slug] = importId(accountId, name);
    else if (adopt.has(slug)) lines.push(`${slug}: there is no bucket ${name} to adopt`);
    else if (existing[index] && !deployed.has(slug)) {
      lines.push(
        `${slug}: the bucket ${name} of an earlier deployment exists. To use it and its backups for this tenant, set ` +
          `${ADOPT_BUCKETS_VARIABLE}=${slug} for this run. Otherwise empty and delete it`,
      );
    }
  }
  refuseFaults("backup buckets of earlier tenants:", lines);
  return found;
}

/**
 * Finds the buckets of the dashboard's clients that had an instance before. The client's row remains when its instance is deleted,
 * so a bucket that is newer than the row is the client's own. An older one needs the consent of a platform root.
 */
async function ownBuckets(args: EarlierBucketsArgs & { accountId: string }): Promise<Readonly<Record<string, string>>> {
  const { accountId, environment, clients, snapshot, adoptBuckets, keptBackups } = args;
  const lines: string[] = [];
  const found: Record<string, string> = {};
  for (const { slug } of clients.filter(({ slug }) => adoptBuckets.has(slug))) {
    const name = tenantNames(slug, environment).backupBucket;
    const created = await readCreationDate(accountId, name);
    const client = snapshot.clients[slug]?.createdAt;
    if (created === undefined || client === undefined) continue;
    if (created >= client || keptBackups.has(slug)) found[slug] = importId(accountId, name);
    else {
      lines.push(
        `${slug}: the bucket ${name} holds the backups of an earlier client with this slug. To use them, a platform root provisions the ` +
          "instance again with “Use kept backups” (use_kept_backups in the API). To start without them, empty and delete the bucket",
      );
    }
  }
  refuseFaults("backup buckets of earlier tenants:", lines);
  return found;
}

/** Returns the slugs of the tenants after this stack's last run. */
async function readDeployedTenants(): Promise<ReadonlySet<string>> {
  try {
    const reader = await OutputReader.read(qualifiedStack());
    return new Set(reader.has("tenants") ? Object.keys(reader.open("tenants")) : []);
  } catch (error) {
    if (error instanceof OutputError) return new Set();
    throw error;
  }
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
