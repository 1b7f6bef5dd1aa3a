/** A plan that is added to the table of plans reaches a database with its next upgrade. */
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_PRICES } from "#domain/billing/default-prices.ts";
import { containerNeeds } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import { startTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { readAccountLimits } from "../../work/account-limits.ts";
import { inspectSchema } from "../inspect.ts";
import { readSchemaSource, type SchemaSource } from "../source.ts";
import { upgradeSchema } from "../upgrade.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

const source = readSchemaSource();
const team = DEFAULT_PRICES.filter(({ plan }) => plan === "basic").map((price) => ({ ...price, plan: "team" }));
const withTeam: SchemaSource = {
  ...source,
  plans: [...source.plans, "team"],
  prices: [...source.prices, ...team],
};

const findings = async (of: SchemaSource) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await inspectSchema(client, of)).findings;
  } finally {
    await client.end();
  }
};
const insert = (slug: string, plan: string) =>
  database.pool.query(
    "insert into tenantry.clients (slug, name, billing_plan, status) values ($1, $1, $2, 'production')",
    [slug, plan],
  );
const prices = async (plan: string) => {
  const { rows } = await database.pool.query<Record<string, string>>(
    `select environment, metric, unit, per_units, micros, valid_from::text from tenantry.prices where plan = $1
     order by environment, metric`,
    [plan],
  );
  return rows;
};

test("the prices that the first migration inserts are those of the table", async () => {
  const { rows } = await database.pool.query<{ plan: string; metric: string; micros: string; per_units: string }>(
    "select plan, metric, micros, per_units from tenantry.prices where environment = 'production'",
  );
  const inserted = rows.map(({ plan, metric, micros, per_units }) => [plan, metric, BigInt(micros), BigInt(per_units)]);
  const listed = DEFAULT_PRICES.map(({ plan, metric, micros, perUnits }) => [plan, metric, micros, perUnits]);
  expect(inserted.toSorted()).toEqual(listed.toSorted());
});

test("a new plan is refused before the upgrade and accepted after it, with prices in each environment", async () => {
  await expect(insert("early", "team")).rejects.toThrow("clients_billing_plan_check");
  expect(await findings(withTeam)).toEqual(["The database does not accept the plan team of domain/plans/plans.ts."]);

  await upgradeSchema(database.url, { source: withTeam });

  expect(await findings(withTeam)).toEqual([]);
  await insert("acme", "team");
  // The plan's history is written by a trigger.
  const { rows } = await database.pool.query("select plan from tenantry.client_plans");
  expect(rows).toEqual([{ plan: "team" }]);
  expect(await prices("team")).toEqual(await prices("basic"));
  await expect(insert("other", "gold")).rejects.toThrow("clients_billing_plan_check");
});

test("an upgrade changes no price and removes no plan", async () => {
  await database.pool.query(
    "update tenantry.prices set micros = 7 where plan = 'team' and metric = 'flat_fee' and environment = 'production'",
  );
  const before = await prices("team");

  await upgradeSchema(database.url, { source: withTeam });
  await upgradeSchema(database.url, { source });

  expect(await prices("team")).toEqual(before);
  expect(await findings(source)).toEqual([]);
  await insert("later", "team");
});

test("limits from before a plan was added are read with the plan's container", async () => {
  const { enterprise, ...known } = containerNeeds({ ...PLAN_CONTAINERS, free: "basic" });
  const use = { accessApplications: 1, accessGroups: 1, accessPolicies: 1, apiTokens: 1, aiGateways: 1 };
  const needs = { platform: use, tenant: use };
  await database.pool.query(
    "insert into tenantry.account_limits (environment, limits, needs, containers) values ('production', $1, $2, $3)",
    [use, { production: needs, staging: needs, development: needs }, known],
  );
  const read = await readAccountLimits(database.db, "production");
  expect(read?.containers).toEqual({ ...known, enterprise });
});
