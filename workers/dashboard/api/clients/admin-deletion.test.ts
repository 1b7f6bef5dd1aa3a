/** How the ADMINs of a client freeze, delete, restore and erase it, and what stays to operators. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

const { root, north } = { root: "root", north: "north" } as const;

/** Creates a client of north with an instance, two ADMINs and a user. */
async function tenant(slug: string) {
  const { db, pool } = api.database;
  const id = await insertClient(db, { slug, partner_id: api.partners.north, managed_by: "dashboard" });
  const instance = await insertInstance(db, id, { managed_by: "dashboard", ai_gateway_id: `tenantry-${slug}` });
  for (const who of ["ada", "ben", "uma"]) {
    const role = who === "uma" ? "BASE_USER" : "ADMIN";
    const user = { client_id: id, email: `${who}@${slug}.test`, role, status: "validated" };
    await insertClientUser(db, user, [instance]);
  }
  const user = (who: string) => ({ slug, email: `${who}@${slug}.test` });
  const notices = async () =>
    (
      await pool.query(
        "select recipient, data ->> 'what' as what, data ->> 'by' as by from tenantry.mails where client_id = $1 and kind = 'deletion_notice' order by created_at",
        [id],
      )
    ).rows.map(({ recipient, what, by }) => [recipient, what, by]);
  return { params: { client_id: id }, ada: user("ada"), ben: user("ben"), uma: user("uma"), notices };
}

test("lets an ADMIN freeze, and any ADMIN of the client resume that, but nothing that an operator froze", async () => {
  const { params, ada, ben, uma } = await tenant("cool");
  const frozen = await api.call(clientRoutes.freezeClient, { as: ada, params, body: { cause: "vacation" } });
  expect(frozen.body.instance).toMatchObject({ status: "frozen", frozen_by: "client" });
  const resumed = await api.call(clientRoutes.resumeClient, { as: ben, params });
  expect(resumed.body.instance).toMatchObject({ status: "running", frozen_by: null });
  expect(await api.refused(clientRoutes.freezeClient, { as: uma, params, body: {} })).toMatchObject({ status: 403 });

  // An operator takes over the freeze of an ADMIN.
  for (const [as, by] of [
    [north, "the partner north"],
    [root, "the platform"],
  ] as const) {
    await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
    const taken = await api.call(clientRoutes.freezeClient, { as, params, body: {} });
    expect(taken.body.instance?.frozen_by).toBe(as === north ? "partner" : "platform");
    // An ADMIN's freeze after it changes nothing.
    await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
    expect(await api.refused(clientRoutes.resumeClient, { as: ada, params })).toEqual({
      status: 403,
      error: {
        code: "forbidden",
        reason: "instance_frozen_by_operator",
        message: `The instance of cool was frozen by ${by}, not by an ADMIN. Ask ${by} to resume it.`,
      },
    });
    await api.call(clientRoutes.resumeClient, { as: root, params });
  }
  // A partner root resumes what an ADMIN froze.
  await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
  expect((await api.call(clientRoutes.resumeClient, { as: north, params })).body.instance?.status).toBe("running");
  await api.database.pool.query(
    "update tenantry.instances set status = 'frozen', frozen_for = 'credit' where client_id = $1",
    [params.client_id],
  );
  expect(await api.refused(clientRoutes.resumeClient, { as: ada, params })).toMatchObject({
    status: 409,
    error: { reason: "instance_frozen_for_credit" },
  });
});

test("lets one ADMIN delete and another undo it, with mails to the others, and keeps the console open", async () => {
  const { params, ada, ben, uma, notices } = await tenant("going");
  expect(await api.refused(clientRoutes.deleteClient, { as: uma, params })).toMatchObject({ status: 403 });
  const gone = await api.call(clientRoutes.deleteClient, { as: ada, params });
  expect(gone.body).toMatchObject({ deletion_by: "client", instance: { status: "frozen", frozen_by: "deletion" } });
  const again = await api.call(clientRoutes.deleteClient, { as: ben, params });
  expect(again.body.delete_after).toBe(gone.body.delete_after);
  expect((await api.call(clientRoutes.getClient, { as: ben, params })).body.delete_after).toBe(gone.body.delete_after);
  expect(await api.refused(clientRoutes.deleteClient, { as: ada, params, query: { now: "true" } })).toMatchObject({
    status: 403,
    error: { reason: "admin_erases_instead" },
  });
  const back = await api.call(clientRoutes.restoreClient, { as: ben, params });
  expect(back.body).toMatchObject({ delete_after: null, deletion_by: null, instance: { status: "running" } });
  expect(await notices()).toEqual([
    ["ben@going.test", "deleted", "ada@going.test"],
    ["ada@going.test", "restored", "ben@going.test"],
  ]);
});

test("lets an ADMIN neither restore nor erase what an operator deleted", async () => {
  const { params, ada } = await tenant("ousted");
  for (const [as, by] of [
    [north, "the partner north"],
    [root, "the platform"],
  ] as const) {
    await api.call(clientRoutes.deleteClient, { as: ada, params });
    // An operator takes over the deletion of an ADMIN.
    const taken = await api.call(clientRoutes.deleteClient, { as, params });
    expect(taken.body.deletion_by).toBe(as === north ? "partner" : "platform");
    const refused = {
      status: 403,
      error: {
        reason: "client_deleted_by_operator",
        message: `The client ousted was deleted by ${by}, not by an ADMIN. Ask ${by} to restore it.`,
      },
    };
    expect(await api.refused(clientRoutes.restoreClient, { as: ada, params })).toMatchObject(refused);
    const erase = { as: ada, params, body: { slug: "ousted" } };
    expect(await api.refused(clientRoutes.eraseClient, erase)).toMatchObject(refused);
    await api.call(clientRoutes.restoreClient, { as: root, params });
  }
  await api.call(clientRoutes.deleteClient, { as: ada, params });
  expect((await api.call(clientRoutes.restoreClient, { as: north, params })).body.delete_after).toBeNull();
});

test("erases a deleted client for an ADMIN that confirms it by the slug, and only then", async () => {
  const { params, ada, ben, notices } = await tenant("wiped");
  const erase = { as: ada, params, body: { slug: "wiped" } };
  expect(await api.refused(clientRoutes.eraseClient, erase)).toMatchObject({ error: { reason: "client_not_deleted" } });
  await api.call(clientRoutes.deleteClient, { as: ben, params });
  const wrong = { ...erase, body: { slug: "other" } };
  expect(await api.refused(clientRoutes.eraseClient, wrong)).toMatchObject({
    error: { reason: "erasure_not_confirmed" },
  });
  const { body } = await api.call(clientRoutes.eraseClient, erase);
  expect(Date.parse(body.delete_after ?? "")).toBeLessThanOrEqual(Date.now());
  // A second ADMIN does not change who gets the certificate.
  await api.call(clientRoutes.eraseClient, { ...erase, as: ben });
  const { rows } = await api.database.pool.query(
    "select requested_by, recipients, own_ai_gateway from tenantry.erasures where client_id = $1",
    [params.client_id],
  );
  expect(rows).toEqual([
    { requested_by: "ada@wiped.test", recipients: ["ada@wiped.test"], own_ai_gateway: "tenantry-wiped" },
  ]);
  expect(await notices()).toContainEqual(["ben@wiped.test", "erased", "ada@wiped.test"]);
  expect(await api.refused(clientRoutes.restoreClient, { as: ada, params })).toMatchObject({
    status: 409,
    error: { reason: "grace_period_over" },
  });
  // A platform root restores it until the first object is deleted, which withdraws the erasure.
  await api.call(clientRoutes.restoreClient, { as: root, params });
  const left = await api.database.pool.query("select from tenantry.erasures where client_id = $1", [params.client_id]);
  expect(left.rowCount).toBe(0);
});

test("refuses to restore a client whose objects are being deleted", async () => {
  const { params, ada } = await tenant("begun");
  await api.call(clientRoutes.deleteClient, { as: ada, params });
  await api.call(clientRoutes.eraseClient, { as: ada, params, body: { slug: "begun" } });
  await api.database.pool.query("update tenantry.erasures set began_at = now() where client_id = $1", [
    params.client_id,
  ]);
  expect(await api.refused(clientRoutes.restoreClient, { as: root, params })).toMatchObject({
    status: 409,
    error: { reason: "client_erasing" },
  });
});

test.each([
  ["another status", "update tenantry.instances set status = 'error'"],
  ["a freeze for credit", "update tenantry.instances set status = 'frozen', frozen_for = 'credit'"],
  [
    "another plan with a deletion",
    "update tenantry.clients set delete_after = now() + interval '7 days', billing_plan = 'enterprise'",
  ],
  ["a deletion without a grace period", "update tenantry.clients set delete_after = now()"],
  ["another cause", "update tenantry.instances set state_cause = 'x'"],
  ["who deleted it", "update tenantry.clients set deletion_by = 'client_admin'"],
])("refuses an ADMIN %s in the database", async (what, statement) => {
  const slug = `limits-${what.replaceAll(" ", "-")}`;
  const { params, ada } = await tenant(slug);
  const client = await api.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("set local session authorization tenantry_dashboard");
    await client.query("select dashboard.enter_tenant($1, $2, null, false, '', '')", [slug, ada.email]);
    await expect(client.query(statement)).rejects.toThrow(/ADMIN cannot/);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect((await api.call(clientRoutes.getClient, { as: root, params })).body).toMatchObject({
    delete_after: null,
    instance: { status: "running" },
  });
});
