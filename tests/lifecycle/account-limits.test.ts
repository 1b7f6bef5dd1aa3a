import { expect, test } from "vitest";
import type { Environment } from "#domain/environment.ts";
import { clientSettings, environmentSettings, stackOf, temporaryEdge } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

/** A platform's stack with a limit of Access groups. */
function platformOf(environment: Environment, slugs: string[], accessGroups: number) {
  const settings = environmentSettings(
    environment,
    slugs.map((slug) => ({ slug })),
  );
  return { ...settings, "tenantry:platform": { ...settings["tenantry:platform"], limits: { accessGroups } } };
}

const tenantsOf = (slugs: string[]) => ({
  "tenantry:environment": "production",
  "tenantry:platformStack": "whole",
  "tenantry:clients": clientSettings(slugs.map((slug) => ({ slug }))),
});

test("refuses in the preview what exceeds the account's limits, with tenants of other stacks and environments", async () => {
  const edge = await temporaryEdge();
  const whole = (slugs: string[], groups: number) => stackOf(edge, platformOf("production", slugs, groups));
  const shard = (slugs: string[]) => stackOf(edge, tenantsOf(slugs), "shard");
  const development = (groups: number) => stackOf(edge, platformOf("development", ["acme"], groups), "dev");

  // There is no database yet.
  const first = (await whole(["acme"], 1)).preview();
  await expect(first).rejects.toThrow(
    /4 Access groups \(tenants: 1 in production\), of which it may hold 1; .* set limits\.accessGroups under tenantry:platform/,
  );
  await (await whole(["acme"], 5)).up();

  const before = edge.store.counts();
  await expect((await shard(["lab", "more"])).preview()).rejects.toThrow(
    /6 Access groups \(tenants: 3 in production\), of which it may hold 5/,
  );
  await expect((await shard(["lab", "more"])).up()).rejects.toThrow(/6 Access groups/);
  expect(edge.store.counts()).toEqual(before);
  await (await shard(["lab"])).up();

  // The other stack's tenant counts, and a deleted one counts until the end of the run.
  await expect((await whole(["acme", "more"], 5)).preview()).rejects.toThrow(/6 Access groups .*3 in production/);
  await expect((await whole(["more"], 5)).preview()).rejects.toThrow(/6 Access groups .*3 in production/);

  // The database refuses the row of a run that lost the last place after its plan; a run that adds nothing is not blocked.
  await expect(
    sql(edge, "insert into tenantry.clients (slug, name, billing_plan) values ('late', '', 'free')"),
  ).rejects.toThrow(/no_account_capacity: .*limits\.accessGroups is 5, and 6 would be needed; plan again/);
  await (await whole(["acme"], 4)).up();
  await (await shard(["lab"])).up();

  // Another environment has a platform and a tenant of its own.
  await expect((await development(8)).preview()).rejects.toThrow(
    /9 Access groups \(tenants: .*2 in production.*\), of which it may hold 8/,
  );
  await (await development(9)).preview();

  // The remaining host names of the platform's domain are visible in its outputs only.
  const long = "a".repeat(45);
  await expect((await shard([long])).preview()).rejects.toThrow(
    new RegExp(
      `clients\\[0\\]\\.slug: an Access application at ${long}\\.tenantry\\.localhost would have 64 characters`,
    ),
  );
});
