import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceCreditStates } from "#database/billing/credit-steps.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type ApiUnderTest, startApi } from "#workers/dashboard/testing/start-api.ts";
import { type DispatchStandIn, startDispatchStandIn } from "../testing/dispatch-stand-in.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";

let api: ApiUnderTest;
let dispatch: DispatchStandIn;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  api = await startApi();
  dispatch = await startDispatchStandIn();
  service = await startTestService(api.database, { DISPATCH_URL: dispatch.url });
});
afterAll(async () => {
  await service.stop();
  await dispatch.stop();
  await api.stop();
});

const as = "north" as const;

async function tenant(slug: string) {
  const { db } = api.database;
  const client_id = await insertClient(db, { slug, partner_id: api.partners.north, managed_by: "dashboard" });
  await insertInstance(db, client_id, { managed_by: "dashboard" });
  return { client_id };
}

/** Waits until the latest job of a client has ended. @returns its kind and state */
async function followed(client_id: string): Promise<[string, string]> {
  const jobs = async () =>
    (await api.call(jobRoutes.listJobs, { as: "root", query: { client_id, limit: "1" } })).body.data[0];
  await expect.poll(async () => (await jobs())?.ended_at, { timeout: 30_000 }).toBeTruthy();
  const job = await jobs();
  return [job?.kind ?? "", job?.status ?? ""];
}

test.each([
  ["a root freezes", clientRoutes.freezeClient, "freeze", {}],
  ["a root resumes", clientRoutes.resumeClient, "resume", undefined],
  ["a client is deleted", clientRoutes.deleteClient, "freeze", undefined],
  ["a deleted client is restored", clientRoutes.restoreClient, "resume", undefined],
])("drops the tenant's caches and closes its connections when %s", async (_, route, kind, body) => {
  const { rows } = await api.database.pool.query("select id as client_id from tenantry.clients where slug = 'acme'");
  const params = rows[0] ?? (await tenant("acme"));
  const before = dispatch.forgotten().length;
  await api.call(route, { as, params, body });
  expect(await followed(params.client_id)).toEqual([kind, "succeeded"]);
  expect(dispatch.forgotten().slice(before)).toEqual(["acme"]);
});

test("drops the caches of an instance in error when it is frozen and resumed", async () => {
  const { client_id } = await tenant("broken");
  await api.database.pool.query("update tenantry.instances set status = 'error' where client_id = $1", [client_id]);
  for (const [route, kind, body] of [
    [clientRoutes.freezeClient, "freeze", {}],
    [clientRoutes.resumeClient, "resume", undefined],
  ] as const) {
    const before = dispatch.forgotten().length;
    await api.call(route, { as, params: { client_id }, body });
    expect(await followed(client_id)).toEqual([kind, "succeeded"]);
    expect(dispatch.forgotten().slice(before)).toEqual(["broken"]);
  }
});

test("drops the caches when credit runs out and when it is topped up", async () => {
  const { client_id } = await tenant("broke");
  const { pool, db } = api.database;
  const days = (n: number) => new Date(Date.now() + n * 86_400_000);
  await pool.query("insert into tenantry.credit_pools (client_id, prepaid) values ($1, true)", [client_id]);
  await requestRun(api.database, "advance_credits");
  await db.transaction().execute((tx) => advanceCreditStates(tx, { at: days(7.1), clientIds: [client_id] }));
  expect(await followed(client_id)).toEqual(["freeze", "succeeded"]);
  expect(dispatch.forgotten().at(-1)).toBe("broke");
  const state = async () =>
    (await api.call(clientRoutes.getClient, { as: "root", params: { client_id } })).body.instance?.status;
  expect(await state()).toBe("frozen");
  const before = dispatch.forgotten().length;
  const topUp = { amount_micros: 50_000_000, reference: "order-1" };
  await api.call(billingRoutes.topUpCredit, { as: "root", params: { client_id }, body: topUp });
  expect(await followed(client_id)).toEqual(["resume", "succeeded"]);
  expect([await state(), dispatch.forgotten().slice(before)]).toEqual(["running", ["broke"]]);
});
