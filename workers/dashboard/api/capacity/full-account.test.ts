/** A full Cloudflare account over HTTP: requests that need more capacity are refused. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { setAccountLimits } from "#database/testing/fixtures.ts";
import { storeCapacity } from "#database/work/capacity.ts";
import { accountNeeds, DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { type Capacity, containerNeeds, DEFAULT_CAPACITY } from "#domain/plans/capacity.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import { capacityRoutes } from "#workers/contracts/api/capacity.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const { accessGroups } = accountNeeds(DEFAULT_TENANT_SHAPE).production.platform;
const containers = containerNeeds(PLAN_CONTAINERS);
const as = "root";

const client = async (slug: string) =>
  (await api.call(clientRoutes.createClient, { as, body: { slug, billing_plan: "pro" } })).body.id;
const ask = (client_id: string) => api.fetchAs(as, "POST", "/client/instance/create", { client_id });
/** Counts the account's objects, which all belong to the platform and its tenants. */
const count = (used: Partial<Capacity>, most: Partial<Capacity> = {}) => {
  const none = Object.fromEntries(Object.keys(DEFAULT_CAPACITY).map((kind) => [kind, 0])) as unknown as Capacity;
  return storeCapacity(api.database.db, { ...none, ...used }, { ...DEFAULT_CAPACITY, ...most });
};

beforeEach(() => setAccountLimits(api.database.db, { accessGroups: accessGroups + 1 }));
afterEach(async () => {
  for (const table of ["jobs", "instances", "clients", "account_limits", "account_capacity"] as const)
    await api.database.db.deleteFrom(`tenantry.${table}`).execute();
});

test("gives the last place to one of two concurrent requests, and refuses the other with the remedy before any write", async () => {
  const ids = await Promise.all([client("races"), client("raced")]);
  const answers = await Promise.all(ids.map(ask));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  expect(await answers.find(({ status }) => status === 409)?.json()).toEqual({
    error: {
      code: "no_account_capacity",
      reason: "account_limit_reached",
      message: `The limit limits.accessGroups is ${accessGroups + 1}, and ${accessGroups + 2} would be needed. Remove tenants, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more.`,
    },
  });
  for (const table of ["instances", "jobs"] as const) {
    const rows = await api.database.db.selectFrom(`tenantry.${table}`).select("client_id").execute();
    expect(rows).toHaveLength(1);
  }
  // An instance with a claimed place is provisioned again without another claim.
  await api.database.db.updateTable("tenantry.instances").set({ status: "error", state_cause: "It failed." }).execute();
  const again = await Promise.all(ids.map(ask));
  expect(again.map(({ status }) => status).toSorted()).toEqual([202, 409]);
});

test("refuses a larger plan without container capacity, and accepts a smaller one", async () => {
  const body = { client_id: await client("grows") };
  const { id } = (await api.call(instanceRoutes.createInstance, { as, body })).body;
  await api.database.db.updateTable("tenantry.instances").set({ access_aud: "aud" }).execute();
  const { containerMemoryMiB } = containers.pro;
  await count({ containerMemoryMiB }, { containerMemoryMiB });
  const change = (plan: string) => api.fetchAs(as, "PUT", `/client/instance/${id}/worker-plan/${plan}`, {});
  const refused = await change("enterprise");
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { error: { code: "no_account_capacity", message: expect.stringContaining("containerMemoryMiB") } },
  ]);
  expect((await change("basic")).status).toBe(202);
  // A failed change restores the former plan, although another tenant has taken the capacity since.
  await count({ containerMemoryMiB }, { containerMemoryMiB: 1 });
  await api.database.db
    .updateTable("tenantry.jobs")
    .set({ status: "failed", ended_at: new Date() })
    .where("kind", "=", "change_plan")
    .execute();
  expect((await api.call(clientRoutes.getClient, { as, params: body })).body.billing_plan).toBe("pro");
});

test("refuses a rollout when the platform's settings need more than the account's capacity", async () => {
  const body = { client_id: await client("rolls") };
  await api.call(instanceRoutes.createInstance, { as, body });
  await api.database.db.updateTable("tenantry.instances").set({ access_aud: "aud", status: "running" }).execute();
  const { containerMemoryMiB } = containers.pro;
  await count({ containerMemoryMiB }, { containerMemoryMiB });
  const image = {
    reference: `registry.test/gateway@sha256:${"1".repeat(64)}`,
    gateway: "openclaw",
    gateway_version: "2026.9.1",
  };
  const { id: image_id } = (await api.call(imageRoutes.addImage, { as, body: image })).body;
  const larger = JSON.stringify({ ...containers, pro: containers.enterprise });
  await api.database.db.updateTable("tenantry.account_limits").set({ containers: larger }).execute();
  const begin = () => api.fetchAs(as, "POST", "/rollouts", { image_id });
  const refused = await begin();
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { error: { code: "no_account_capacity", message: expect.stringContaining("containerMemoryMiB") } },
  ]);
  await setAccountLimits(api.database.db);
  expect((await begin()).status).toBe(201);
  await api.database.db.deleteFrom("tenantry.rollout_tenants").execute();
  await api.database.db.deleteFrom("tenantry.rollouts").execute();
  expect((await api.call(rolloutRoutes.listRollouts, { as })).body.data).toEqual([]);
});

test("counts the tenants that still fit by the platform's settings", async () => {
  await count({}, { apiTokens: 10 });
  const left = async () => (await api.call(capacityRoutes.getCapacity, { as })).body.tenants_left;
  expect(await left()).toBe(10);
  const shape = { ...DEFAULT_TENANT_SHAPE, bucketCredentials: true };
  await setAccountLimits(api.database.db, {}, { shape });
  expect(await left()).toBe(5);
});
