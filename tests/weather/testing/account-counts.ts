import { expect } from "vitest";
import { ACCOUNT_KINDS } from "#fleet/doctor/account/kinds.ts";
import type { Edge } from "#local/edge.ts";
import { runDoctor } from "../../fleet/testing/doctor-steps.ts";
import { sql } from "../../testing/sql.ts";

type Counts = Readonly<Record<string, number>>;

/** What a tenant of a pool adds to the account. */
export const TENANT: Counts = {
  access_application: 1,
  access_group: 1,
  access_policy: 2,
  api_token: 1,
  bucket: 1,
  container_application: 1,
  script: 1,
};

/** Returns the differences between two numbers of records by kind, without zeros. */
function differences(before: Counts, after: Counts): Counts {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const added = kinds.map((kind) => [kind, (after[kind] ?? 0) - (before[kind] ?? 0)] as const);
  return Object.fromEntries(added.filter(([, count]) => count !== 0));
}

/**
 * Expects that the account has `added` more records than before. The SDK repeats a create after a lost response, so Cloudflare's own resources
 * can exist twice: then `fleet doctor` reports exactly the copies, and removes them.
 */
export async function expectAdded(edge: Edge, before: Counts, added: Counts): Promise<void> {
  const surplus = () => differences(added, differences(before, edge.store.counts()));
  if (Object.keys(surplus()).length > 0) {
    expect(surplus()).toEqual(await unownedResources(edge));
    // After the grace period. Empty buckets would be removed too.
    await sql(edge, "update tenantry.findings set first_seen = now() - interval '2 days' where kind <> 'bucket'");
    await runDoctor(edge, ["--fix"]);
  }
  expect(surplus()).toEqual({});
}

/** Returns the number of resources that no stack has, by kind. Production's buckets stay. */
async function unownedResources(edge: Edge): Promise<Counts> {
  const { findings, failedChecks } = await runDoctor(edge);
  expect(failedChecks).toEqual([]);
  const unowned = findings.filter(({ kind, removal }) => kind !== "bucket_without_owner" && removal !== null);
  const counts = Object.entries(ACCOUNT_KINDS).map(
    ([kind, { title }]) => [kind, unowned.filter(({ what }) => what === title).length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
