/** Which buckets of earlier tenants a run adopts, by who manages the client and what the operator allowed. */
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutTraces } from "#components/testing/without-traces.ts";
import { type EarlierBucketsArgs, findKeptBuckets } from "./earlier-buckets.ts";

const NAME = "tenantry-backups-acme";
const ADOPTED = { acme: `account/${NAME}/default` };
const CLIENT_CREATED = new Date("2026-11-10T00:00:00Z");
const OLDER = "2026-11-01T00:00:00Z";
const YOUNGER = "2026-11-11T00:00:00Z";

/** When the bucket was created; undefined: there is none. */
let bucket: string | undefined;
/** Buckets in the stack's state; undefined: there is no stack. */
let held: string[] | undefined;
beforeAll(async () => {
  const mocks: pulumi.runtime.Mocks = {
    newResource: () => {
      throw new Error("No resource is expected.");
    },
    call: async ({ token }) => {
      if (token === "pulumi:pulumi:readStackResourceOutputs") {
        if (held === undefined) throw Object.assign(new Error(), { details: "unknown stack" });
        const bucketOf = (name: string) => ({ type: "cloudflare:index/r2Bucket:R2Bucket", outputs: { name } });
        return { outputs: Object.fromEntries(held.map((name) => [`urn of ${name}`, bucketOf(name)])) };
      }
      // The engine passes on the details of a gRPC error.
      if (bucket === undefined)
        throw Object.assign(new Error(), { details: "404: The bucket does not exist (10006)." });
      return { creationDate: bucket };
    },
  };
  await pulumi.runtime.setMocks(mocks, "tenantry", "prod", false, "organization");
});
afterAll(() => pulumi.runtime.disconnect());

interface Case {
  bucket: string | undefined;
  adopt?: boolean;
  useKept?: boolean;
  /** Whether the database has the client's row. The dashboard's clients always have one. */
  known?: boolean;
  /** Whether the database has its instance's row. Default: false. */
  hasInstance?: boolean;
  /** Buckets in the stack's state. */
  held?: string[];
}

function find(
  managedBy: EarlierBucketsArgs["managedBy"],
  { adopt = false, useKept = false, known = false, hasInstance = false }: Case,
) {
  const clients = [{ slug: "acme", name: "Acme", plan: "basic", status: "active", instances: [] }] as const;
  return withoutTraces(() =>
    findKeptBuckets({
      accountId: "account",
      environment: "production",
      clients: clients as unknown as EarlierBucketsArgs["clients"],
      snapshot: {
        read: true,
        clients: known ? { acme: { id: "id", createdAt: CLIENT_CREATED, hasInstance } } : {},
      } as unknown as EarlierBucketsArgs["snapshot"],
      adoptBuckets: new Set(adopt ? ["acme"] : []),
      keptBackups: new Set(useKept ? ["acme"] : []),
      managedBy,
    }),
  );
}

test.each<[string, Case, "none" | "adopted" | RegExp]>([
  ["without a bucket nothing is adopted", { bucket: undefined }, "none"],
  [
    "a kept bucket is refused",
    { bucket: OLDER },
    /acme: the bucket tenantry-backups-acme .* TENANTRY_ADOPT_BUCKETS=acme/,
  ],
  ["a kept bucket is adopted if the run allows it", { bucket: OLDER, adopt: true }, "adopted"],
  [
    "a missing bucket cannot be adopted",
    { bucket: undefined, adopt: true },
    /there is no bucket tenantry-backups-acme/,
  ],
  ["the bucket of a tenant with an instance is its own", { bucket: YOUNGER, known: true, hasInstance: true }, "none"],
  ["the bucket of a tenant that the stack has is its own", { bucket: YOUNGER, known: true, held: [NAME] }, "none"],
  ["a bucket whose creation the stack does not know is adopted", { bucket: YOUNGER, known: true, held: [] }, "adopted"],
  ["a bucket from before the tenant is not adopted", { bucket: OLDER, known: true, held: [] }, "none"],
  ["so is that of a tenant that the stack has and a restored database lacks", { bucket: OLDER, held: [NAME] }, "none"],
  [
    "the bucket of a tenant that the stack's last run removed is refused",
    { bucket: OLDER, held: [] },
    /acme: the bucket tenantry-backups-acme .* TENANTRY_ADOPT_BUCKETS=acme/,
  ],
])("handles a bucket of a tenant in Git: %s", async (_, one, expected) => {
  ({ bucket, held } = one);
  await expectResult(find("git", one), expected);
});

// The automation service always allows its client's own bucket.
test.each<[string, Case, "none" | "adopted" | RegExp]>([
  ["without a bucket nothing is adopted", { bucket: undefined }, "none"],
  ["without a bucket nothing is adopted, with consent too", { bucket: undefined, useKept: true }, "none"],
  ["its own earlier bucket is adopted", { bucket: YOUNGER }, "adopted"],
  [
    "an earlier client's bucket is refused, with both ways on",
    { bucket: OLDER },
    /acme: the bucket tenantry-backups-acme .*earlier client.*“Use kept backups” \(use_kept_backups .*empty and delete the bucket/,
  ],
  ["an earlier client's bucket is adopted with consent", { bucket: OLDER, useKept: true }, "adopted"],
])("handles a bucket of a tenant of the dashboard: %s", async (_, one, expected) => {
  ({ bucket } = one);
  await expectResult(find("dashboard", { ...one, adopt: true, known: true }), expected);
});

async function expectResult(found: Promise<unknown>, expected: "none" | "adopted" | RegExp): Promise<void> {
  if (expected instanceof RegExp) await expect(found).rejects.toThrow(expected);
  else expect(await found).toEqual(expected === "adopted" ? ADOPTED : {});
}
