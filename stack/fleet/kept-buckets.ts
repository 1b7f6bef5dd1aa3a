/** Backup buckets that an earlier deployment left, and that a tenant of the same slug has only when its operator says so. */
import { getR2Bucket } from "@pulumi/cloudflare/getR2Bucket.js";
import * as pulumi from "@pulumi/pulumi";
import type { Environment } from "#domain/environment.ts";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { qualifiedStack } from "../current-stack.ts";
import { OutputError, OutputReader } from "../outputs.ts";
import { refuse } from "../refusal.ts";
import { ADOPT_BUCKETS_VARIABLE } from "../settings/run-flags.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { FleetSnapshot } from "./snapshot.ts";

export interface KeptBucketsArgs {
  /** `undefined` while a preview knows of no platform. */
  accountId: string | undefined;
  environment: Environment;
  clients: readonly ClientSettings[];
  /** What the database held before this run. */
  snapshot: FleetSnapshot;
  /** Slugs whose kept buckets this run may adopt. */
  adoptBuckets: ReadonlySet<string>;
  /** Slugs of the dashboard's clients that may have the buckets of earlier clients. */
  keptBackups: ReadonlySet<string>;
  /** Who says what the clients are. */
  managedBy: "git" | "dashboard";
}

/** Cloudflare's answers for a bucket that is not there: HTTP 404, code 10006. */
const NO_BUCKET = /\b(404|10006)\b/;

/**
 * Looks for the buckets of tenants that are about to be made. What lies in them was another tenant's, perhaps another customer's, so
 * that nothing is adopted by its mere name.
 *
 * @returns import ids of the buckets to adopt, by slug
 * @throws RunError naming each bucket that is there and may not be adopted, and each that may and is not there
 */
export async function findKeptBuckets(args: KeptBucketsArgs): Promise<Readonly<Record<string, string>>> {
  const { accountId, environment, clients, snapshot, adoptBuckets: adopt } = args;
  if (accountId === undefined) return {};
  if (args.managedBy === "dashboard") return ownBuckets({ ...args, accountId });
  const slugs = clients.map(({ slug }) => slug);
  const lines = [...adopt]
    .filter((slug) => !slugs.includes(slug))
    .map((slug) => `${slug}: this stack declares no such client`);
  const found: Record<string, string> = {};
  // A tenant's row comes before its bucket: with a row, the bucket is its own.
  const asked = slugs.filter((slug) => adopt.has(slug) || (snapshot.read && !(slug in snapshot.clients)));
  const buckets = asked.map((slug) => ({ slug, name: tenantNames(slug, environment).backupBucket }));
  const there = await Promise.all(buckets.map(({ name }) => exists(accountId, name)));
  // A restored database may lack the row of a tenant that this stack has.
  const deployed = there.includes(true) ? await deployedTenants() : new Set<string>();
  for (const [index, { slug, name }] of buckets.entries()) {
    if (adopt.has(slug) && there[index]) found[slug] = importId(accountId, name);
    else if (adopt.has(slug)) lines.push(`${slug}: there is no bucket ${name} to adopt`);
    else if (there[index] && !deployed.has(slug)) {
      lines.push(
        `${slug}: the bucket ${name} is there from an earlier deployment. To give it to this tenant with every backup in it, give this ` +
          `one run ${ADOPT_BUCKETS_VARIABLE}=${slug}; or empty and delete it`,
      );
    }
  }
  refuse("backup buckets that were kept:", lines);
  return found;
}

/**
 * The buckets of clients of the dashboard's that had an instance before: a client's row stays when its instance goes, so that a bucket
 * which is younger than the row is its own. An older one needs the consent of a platform root.
 */
async function ownBuckets(args: KeptBucketsArgs & { accountId: string }): Promise<Readonly<Record<string, string>>> {
  const { accountId, environment, clients, snapshot, adoptBuckets, keptBackups } = args;
  const lines: string[] = [];
  const found: Record<string, string> = {};
  for (const { slug } of clients.filter(({ slug }) => adoptBuckets.has(slug))) {
    const name = tenantNames(slug, environment).backupBucket;
    const made = await madeAt(accountId, name);
    const client = snapshot.clients[slug]?.createdAt;
    if (made === undefined || client === undefined) continue;
    if (made >= client || keptBackups.has(slug)) found[slug] = importId(accountId, name);
    else {
      lines.push(
        `${slug}: the bucket ${name} holds the backups of an earlier client with this slug. To use them, a platform root provisions the ` +
          "instance again with “Use kept backups” (use_kept_backups in the API). To start without them, empty and delete the bucket",
      );
    }
  }
  refuse("backup buckets that were kept:", lines);
  return found;
}

/** Slugs of the tenants that this stack had at the end of its last run. */
async function deployedTenants(): Promise<ReadonlySet<string>> {
  try {
    const reader = await OutputReader.read(qualifiedStack());
    return new Set(reader.has("tenants") ? Object.keys(reader.open("tenants")) : []);
  } catch (error) {
    if (error instanceof OutputError) return new Set();
    throw error;
  }
}

const importId = (accountId: string, bucket: string) => `${accountId}/${bucket}/default`;

/** Whether there is such a bucket. */
const exists = async (accountId: string, bucketName: string) => (await madeAt(accountId, bucketName)) !== undefined;

/** When a bucket was made; undefined where there is none. What cannot be asked counts as none, and the run finds out. */
async function madeAt(accountId: string, bucketName: string): Promise<Date | undefined> {
  try {
    return new Date((await getR2Bucket({ accountId, bucketName })).creationDate);
  } catch (error) {
    const reason = (error as Error).message.replace(/^invocation of \S+ returned an error: /, "");
    if (!NO_BUCKET.test(reason))
      pulumi.log.warn(`whether the bucket ${bucketName} is there cannot be asked: ${reason}`);
    return undefined;
  }
}
