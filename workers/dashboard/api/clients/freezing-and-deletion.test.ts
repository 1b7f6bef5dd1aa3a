/** Freezing, deletion and restoration of clients over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceCreditStates } from "#database/billing/credit-steps.ts";
import { insertInstance } from "#database/testing/fixtures.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const { root, north, south } = { root: "root", north: "north", south: "south" } as const;
const create = (as: "root" | "north" | "south", body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  api.call(clientRoutes.createClient, { as, body: { billing_plan: "basic", ...body }, headers });
const made = async (slug: string, as: "root" | "north" | "south" = root) => (await create(as, { slug })).body;

test("freezes and resumes the instance at once, with a job for the generation", async () => {
  const { db } = api.database;
  const { id } = await made("winter", north);
  expect((await api.fetchAs(north, "POST", `/client/${id}/freeze`, {})).status).toBe(409);
  const instance = await insertInstance(db, id, { managed_by: "dashboard" });
  await api.call(clientRoutes.freezeClient, { as: north, params: { client_id: id }, body: { cause: "unpaid" } });
  const { body } = await api.call(clientRoutes.resumeClient, { as: north, params: { client_id: id } });
  expect(body.instance?.status).toBe("running");
  const jobs = await db
    .selectFrom("tenantry.jobs")
    .selectAll()
    .where("instance_id", "=", instance)
    .orderBy("created_at")
    .execute();
  expect(
    jobs.map(({ kind, status, generation, requested_by }) => [kind, status, Number(generation), requested_by]),
  ).toEqual([
    ["freeze", "queued", 2, "root@north.test"],
    ["resume", "queued", 3, "root@north.test"],
  ]);
  const queued = await api.database.pool.query("select key from graphile_worker.jobs where key = any($1)", [
    jobs.map((job) => `job:${job.id}`),
  ]);
  expect(queued.rowCount).toBe(2);
  expect((await api.fetchAs(north, "POST", `/client/${id}/resume`)).status).toBe(409);
});

test.each([
  ["running", "dashboard", "running"],
  ["running", "git", "running"],
  ["provisioning", "git", "provisioning"],
  ["provisioning", "dashboard", "error"],
  ["error", "dashboard", "error"],
])("unfreezing a %s instance of the %s makes it %s: freezing starts nothing", async (before, owner, after) => {
  const { db } = api.database;
  const { id } = await made(`thawed-${before}-${owner}`);
  const instance = await insertInstance(db, id, { managed_by: owner, status: before });
  await api.call(clientRoutes.freezeClient, { as: root, params: { client_id: id }, body: {} });
  await api.call(clientRoutes.freezeClient, { as: root, params: { client_id: id }, body: {} });
  const { body } = await api.call(clientRoutes.resumeClient, { as: root, params: { client_id: id } });
  expect(body.instance?.status).toBe(after);
  const row = await db
    .selectFrom("tenantry.instances")
    .selectAll()
    .where("id", "=", instance)
    .executeTakeFirstOrThrow();
  expect(row.frozen_from).toBeNull();
  expect(row.state_cause === null).toBe(after !== "error");
  expect(row.state_deadline === null).toBe(after !== "provisioning");
});

test("freezes a deleted client for its grace period, during which it can be restored", async () => {
  const { id } = await made("leaving");
  await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  const gone = await api.call(clientRoutes.deleteClient, { as: root, params: { client_id: id } });
  expect(gone.status).toBe(202);
  const days = (Date.parse(gone.body.delete_after ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect(gone.body.instance?.status).toBe("frozen");
  expect((await api.fetchAs(root, "POST", `/client/${id}/resume`)).status).toBe(409);
  const back = await api.call(clientRoutes.restoreClient, { as: root, params: { client_id: id } });
  expect([back.body.delete_after, back.body.instance?.status]).toEqual([null, "running"]);
});

test("refuses a slug in its grace period with the date and the remedies", async () => {
  const { id } = await made("resting", north);
  const gone = await api.call(clientRoutes.deleteClient, { as: north, params: { client_id: id } });
  const until = gone.body.delete_after ?? "";
  const again = { slug: "resting", billing_plan: "basic" };
  const refused = await api.refused(clientRoutes.createClient, { as: north, body: again });
  expect(refused).toEqual({
    status: 409,
    error: {
      code: "conflict",
      reason: "slug_in_grace_period",
      message: `The slug resting belongs to a deleted client until ${until}. Restore that client (POST /client/${id}/restore), end its grace period now (DELETE /client/${id}?now=true), or choose another slug.`,
      details: { client_id: id, delete_after: until },
    },
  });
  const preview = async (as: "root" | "north" | "south") =>
    (await api.call(clientRoutes.previewClient, { as, query: again })).body.faults.find(({ of }) => of === "slug")
      ?.message;
  expect(await preview(root)).toContain(`belongs to the deleted client resting until ${until}; restore that client`);
  // Of another partner's client, the error only states that the slug is in use.
  expect(await preview(south)).toBe("belongs to another client; choose another slug");
  const other = await api.refused(clientRoutes.createClient, { as: south, body: again });
  expect(other.error).toEqual({
    code: "conflict",
    reason: "client_slug_exists",
    message: "A client with this slug already exists. Choose another slug.",
  });
});

test("ends the grace period on request, only for platform roots if they or credit deleted the client", async () => {
  const { id } = await made("ended", north);
  const params = { client_id: id };
  const query = { now: "true" };
  const end = { as: north, params, query } as const;
  expect(await api.refused(clientRoutes.deleteClient, end)).toMatchObject({ status: 409, error: { code: "conflict" } });
  await api.call(clientRoutes.deleteClient, { as: root, params });
  expect(await api.refused(clientRoutes.deleteClient, end)).toMatchObject({
    status: 403,
    error: { code: "forbidden" },
  });
  await api.call(clientRoutes.restoreClient, { as: root, params });
  await api.call(clientRoutes.deleteClient, { as: north, params });
  const ended = await api.call(clientRoutes.deleteClient, end);
  expect(Date.parse(ended.body.delete_after ?? "")).toBeLessThanOrEqual(Date.now());
  expect(ended.body.deletion_by).toBe("partner");
  // A second deletion keeps the earlier date.
  expect((await api.call(clientRoutes.deleteClient, { as: root, params, query })).body.delete_after).toBe(
    ended.body.delete_after,
  );
});

test("keeps an earlier freeze after a restored deletion, and a stopped instance unchanged", async () => {
  const { id } = await made("frozen-before");
  const instance = await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  const params = { client_id: id };
  await api.call(clientRoutes.freezeClient, { as: root, params, body: { cause: "unpaid" } });
  await api.call(clientRoutes.deleteClient, { as: root, params });
  const back = await api.call(clientRoutes.restoreClient, { as: root, params });
  expect([back.body.delete_after, back.body.instance?.status]).toEqual([null, "frozen"]);
  await api.database.db
    .updateTable("tenantry.instances")
    .set({ status: "stopped" })
    .where("id", "=", instance)
    .execute();
  const { status, error } = await api.refused(clientRoutes.freezeClient, { as: root, params, body: {} });
  expect([status, error.code]).toEqual([409, "conflict"]);
  const gone = await api.call(clientRoutes.deleteClient, { as: root, params });
  expect(gone.body.instance?.status).toBe("stopped");
  expect((await api.call(clientRoutes.restoreClient, { as: root, params })).body.instance?.status).toBe("stopped");
});

test("lets a partner root neither resume what the platform froze nor restore what it deleted", async () => {
  const { id } = await made("abused", north);
  const instance_id = await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  const params = { client_id: id };
  const instance = async () => (await api.call(clientRoutes.getClient, { as: north, params })).body.instance;
  const refused = { status: 403, error: { code: "forbidden", message: expect.stringContaining("platform root") } };
  // The partner froze it before, so the platform's freeze changes only who froze it.
  await api.call(clientRoutes.freezeClient, { as: north, params, body: {} });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "partner" });
  await api.call(clientRoutes.freezeClient, { as: root, params, body: { cause: "abuse" } });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "platform" });
  expect(await api.refused(clientRoutes.resumeClient, { as: north, params })).toMatchObject(refused);
  expect(await api.refused(instanceRoutes.removeInstance, { as: north, params: { instance_id } })).toMatchObject(
    refused,
  );
  // The partner can undo its own deletion. The freeze is unchanged.
  expect((await api.call(clientRoutes.deleteClient, { as: north, params })).body.deletion_by).toBe("partner");
  expect((await api.call(clientRoutes.restoreClient, { as: north, params })).body).toMatchObject({
    delete_after: null,
    deletion_by: null,
    instance: { status: "frozen", frozen_by: "platform" },
  });
  await api.call(clientRoutes.deleteClient, { as: north, params });
  expect((await api.call(clientRoutes.deleteClient, { as: root, params })).body.deletion_by).toBe("platform");
  expect(await api.refused(clientRoutes.restoreClient, { as: north, params })).toMatchObject(refused);
  await api.call(clientRoutes.restoreClient, { as: root, params });
  expect((await api.call(clientRoutes.resumeClient, { as: root, params })).body.instance).toMatchObject({
    status: "running",
    frozen_by: null,
  });
});

test("resumes what credit froze only with credit, not by recreation or a restored deletion", async () => {
  const { pool, db } = api.database;
  const { id } = await made("spent", north);
  const params = { client_id: id };
  const instance_id = await insertInstance(db, id, { managed_by: "dashboard", ai_gateway_id: "dedicated-spent" });
  await pool.query("insert into tenantry.credit_pools (client_id, prepaid) values ($1, true)", [id]);
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);
  for (const days of [0, 7.1]) {
    await db.transaction().execute((tx) => advanceCreditStates(tx, { at: later(days), clientIds: [id] }));
  }
  const instance = async () => (await api.call(clientRoutes.getClient, { as: north, params })).body.instance;
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "credit" });
  const refused = { status: 409, error: { code: "conflict", message: expect.stringContaining("credit is used up") } };
  for (const as of [north, root]) {
    expect(await api.refused(clientRoutes.resumeClient, { as, params })).toMatchObject(refused);
  }
  await api.call(clientRoutes.deleteClient, { as: north, params });
  await api.call(clientRoutes.restoreClient, { as: north, params });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "credit" });

  // Undoing the removal leaves it frozen.
  await api.call(clientRoutes.deleteClient, { as: north, params });
  await api.call(instanceRoutes.removeInstance, { as: north, params: { instance_id } });
  expect((await instance())?.status).toBe("stopped");
  await api.call(clientRoutes.restoreClient, { as: north, params });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "credit" });

  // Another client with the slug is refused.
  await pool.query("delete from tenantry.instances where id = $1", [instance_id]);
  const create = () => api.refused(instanceRoutes.createInstance, { as: north, body: { client_id: id } });
  expect(await create()).toMatchObject(refused);
  const again = await insertInstance(db, id, { managed_by: "dashboard", status: "error" });
  expect(await create()).toMatchObject(refused);

  await pool.query("update tenantry.instances set status = 'frozen', frozen_for = 'credit' where id = $1", [again]);
  const order = { amount_micros: 50_000_000, reference: "order-spent" };
  await api.call(billingRoutes.topUpCredit, { as: root, params, body: order });
  expect(await instance()).toMatchObject({ status: "error", frozen_by: null });
});
