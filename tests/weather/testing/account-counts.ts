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
  access_policy: 1,
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
 * Expects that the account has `added` more records than before. The SDK repeats a create after a lost response, so Cloudflare's own
 * resources can exist twice: then `fleet doctor` must report each of them.
 */
export async function expectAdded(edge: Edge, before: Counts, added: Counts): Promise<void> {
  const surplus = differences(added, differences(before, edge.store.counts()));
  if (Object.keys(surplus).length > 0) expect(surplus).toEqual(await unownedResources(edge));
}

/** Returns the number of resources that no stack has, by kind. */
async function unownedResources(edge: Edge): Promise<Counts> {
  const { findings, unlooked } = await runDoctor(edge);
  expect(unlooked).toEqual([]);
  const unowned = findings.filter(({ removal }) => removal !== null);
  const counts = Object.entries(ACCOUNT_KINDS).map(
    ([kind, { title }]) => [kind, unowned.filter(({ what }) => what === title).length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Removes what no stack has, except buckets, and expects exactly `added` more records than before. */
export async function expectAddedAfterFix(edge: Edge, before: Counts, added: Counts): Promise<void> {
  const isExact = () => Object.keys(differences(added, differences(before, edge.store.counts()))).length === 0;
  if (!isExact()) {
    await runDoctor(edge);
    await sql(edge, "update tenantry.findings set first_seen = now() - interval '2 days' where kind <> 'bucket'");
    await runDoctor(edge, ["--fix"]);
  }
  expect(differences(before, edge.store.counts())).toEqual(added);
}
