/** A client's users and invitations over HTTP, by platform roots and partner roots. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
/** A client of each of the two partners, with its instance. */
let client_id: string;
let instance: string;
let foreign: { client_id: string; instance: string };
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  const { db } = api.database;
  client_id = await insertClient(db, { partner_id: api.partners.north });
  instance = await insertInstance(db, client_id);
  const of = await insertClient(db, { partner_id: api.partners.south });
  foreign = { client_id: of, instance: await insertInstance(db, of) };
});

const ada = { email: "ada@acme.test", role: "ADMIN" } as const;
const invite = (body: Record<string, unknown> = {}, as: As = "north", headers: Record<string, string> = {}) =>
  api.call(clientUserRoutes.inviteClientUser, {
    as,
    params: { client_id },
    body: { ...ada, instance_ids: [instance], ...body },
    headers,
  });
const refusedInvite = async (body: Record<string, unknown>, as: As = "north", client = client_id) => {
  const { status, error } = await api.refused(clientUserRoutes.inviteClientUser, {
    as,
    params: { client_id: client },
    body: { ...ada, instance_ids: [instance], ...body },
  });
  return [status, error.code, Object.keys((error.details as object | undefined) ?? {})];
};
const list = async (query: Record<string, string> = {}) =>
  (await api.call(clientUserRoutes.listClientUsers, { as: "north", params: { client_id }, query })).body;
const row = async (id: string) => {
  const { rows } = await api.database.pool.query("select * from tenantry.client_users where id = $1", [id]);
  return rows[0];
};
const kinds = async (client = client_id) => {
  const { rows } = await api.database.pool.query("select kind from tenantry.events where client_id = $1 order by id", [
    client,
  ]);
  return rows.map(({ kind }) => kind);
};
/** As the automation service does when it sends the mail. */
const sendMail = async (id: string) => {
  await api.database.db
    .updateTable("tenantry.client_users")
    .set({ token_hash: createHash("sha256").update(id).digest() })
    .where("id", "=", id)
    .execute();
};

test("creates an invitation with assignments, a mail without token and an event, valid for seven days", async () => {
  const { body } = await invite({ email: " Ada@ACME.test ", name: "Ada" });
  expect(body).toMatchObject({
    ...ada,
    name: "Ada",
    status: "invited",
    validated_at: null,
    cf_access_identity: null,
    instance_ids: [instance],
    mail_status: "queued",
    version: 1,
  });
  const days = (Date.parse(body.expires_at ?? "") - Date.now()) / 86_400_000;
  expect([days > 6.99, days <= 7]).toEqual([true, true]);
  expect((await row(body.id)).token_hash).toBeNull();
  const { rows: mails } = await api.database.pool.query("select * from tenantry.mails where client_user_id = $1", [
    body.id,
  ]);
  expect(mails).toMatchObject([{ kind: "invitation", recipient: ada.email, client_id, data: {}, status: "queued" }]);
  const { rowCount } = await api.database.pool.query("select from graphile_worker.jobs where key = $1", [
    `mail:${mails[0].id}`,
  ]);
  expect(rowCount).toBe(1);
  expect(await kinds()).toEqual(["invitation.created"]);
});

test("writes nothing for an invalid invitation", async () => {
  expect(await refusedInvite({ email: "nobody" })).toEqual([400, "invalid_request", ["email"]]);
  expect(await refusedInvite({ email: "a@b.test\r\nBcc: c@d.test" })).toEqual([400, "invalid_request", ["email"]]);
  expect(await refusedInvite({ role: "ROOT" })).toEqual([400, "invalid_request", ["role"]]);
  for (const instance_ids of [[], [foreign.instance], [instance, crypto.randomUUID()], ["x"], undefined])
    expect(await refusedInvite({ instance_ids }, "root")).toEqual([400, "invalid_request", ["instance_ids"]]);
  const { rowCount } = await api.database.pool.query("select from tenantry.client_users where client_id = $1", [
    client_id,
  ]);
  expect([rowCount, await kinds()]).toEqual([0, []]);
});

test("accepts one open invitation per address, also concurrently, and refers to it in the refusal", async () => {
  const both = await Promise.all(
    [0, 1].map(() =>
      api.fetchAs("north", "POST", `/api/clients/${client_id}/users`, { ...ada, instance_ids: [instance] }),
    ),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const { data } = await list();
  const again = await api.refused(clientUserRoutes.inviteClientUser, {
    as: "north",
    params: { client_id },
    body: { ...ada, instance_ids: [instance] },
  });
  expect(again.error).toMatchObject({
    code: "conflict",
    message: expect.stringContaining("Resend"),
    details: { id: data[0]?.id },
  });
  expect(data).toHaveLength(1);
});

test("invites a user again after a rejection or expiry, but not a validated user", async () => {
  const { db } = api.database;
  const rejected = await insertClientUser(db, { client_id, email: "rob@acme.test", status: "rejected" });
  const again = (await invite({ email: "rob@acme.test", role: "BASE_USER", name: "Rob" })).body;
  expect(again).toMatchObject({
    id: rejected,
    status: "invited",
    role: "BASE_USER",
    name: "Rob",
    instance_ids: [instance],
  });
  const expired = await insertClientUser(
    db,
    { client_id, email: "eve@acme.test", token_expires_at: new Date(Date.now() - 1_000) },
    [instance],
  );
  expect((await invite({ email: "eve@acme.test" })).body).toMatchObject({ id: expired, instance_ids: [instance] });
  await insertClientUser(db, { client_id, email: "val@acme.test", status: "validated" });
  expect(await refusedInvite({ email: "val@acme.test" })).toEqual([409, "conflict", ["id"]]);
});

test("replaces the link for another seven days when an invitation is resent, but not after a decision", async () => {
  const { id } = (await invite()).body;
  await sendMail(id);
  await api.database.pool.query("update tenantry.client_users set token_expires_at = now() where id = $1", [id]);
  const { body } = await api.call(clientUserRoutes.resendInvitation, { as: "north", params: { client_id, id } });
  expect(Date.parse(body.expires_at ?? "")).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  expect((await row(id)).token_hash).toBeNull();
  const { rowCount } = await api.database.pool.query("select from tenantry.mails where client_user_id = $1", [id]);
  expect([rowCount, await kinds()]).toEqual([2, ["invitation.created", "invitation.resent"]]);
  for (const status of ["validated", "rejected"]) {
    const other = await insertClientUser(api.database.db, { client_id, email: `${status}@acme.test`, status });
    expect((await api.fetchAs("north", "POST", `/api/clients/${client_id}/users/${other}/resend`)).status).toBe(409);
  }
});

test("ends a revoked invitation with its link and queued mail, and can reopen it", async () => {
  const { id } = (await invite()).body;
  await sendMail(id);
  const { body } = await api.call(clientUserRoutes.revokeInvitation, { as: "north", params: { client_id, id } });
  expect([body.status, Date.parse(body.expires_at ?? "") <= Date.now()]).toEqual(["invited", true]);
  expect((await row(id)).token_hash).toBeNull();
  const revoke = `/api/clients/${client_id}/users/${id}/revoke`;
  expect((await api.fetchAs("north", "POST", revoke)).status).toBe(409);
  expect((await invite()).body.id).toBe(id);
  expect(await kinds()).toEqual(["invitation.created", "invitation.revoked", "invitation.created"]);
});

test("updates name and role at the expected version, and invalidates the cached role", async () => {
  const { db } = api.database;
  const id = await insertClientUser(db, { client_id, email: ada.email, status: "validated" }, [instance]);
  const put = (body: object, match: string) =>
    api.fetch(`/api/clients/${client_id}/users/${id}`, {
      method: "PUT",
      email: api.emails.north,
      headers: { "content-type": "application/json", "if-match": match },
      body: JSON.stringify(body),
    });
  const changed = await put({ role: "BASE_USER" }, '"1"');
  expect([changed.status, changed.headers.get("etag"), await changed.json()]).toEqual([
    200,
    '"2"',
    expect.objectContaining({ role: "BASE_USER", version: 2 }),
  ]);
  expect((await put({ name: "Late" }, '"1"')).status).toBe(412);
  expect((await put({ status: "validated" }, "*")).status).toBe(400);
  expect((await put({ email: "other@acme.test" }, "*")).status).toBe(400);
  const { rows } = await api.database.pool.query("select kind from tenantry.jobs where client_id = $1", [client_id]);
  expect(rows).toEqual([{ kind: "invalidate" }]);
});

test("deletes a user with every assignment, and keeps the mails", async () => {
  const { id } = (await invite()).body;
  const { status } = await api.call(clientUserRoutes.removeClientUser, { as: "north", params: { client_id, id } });
  expect([status, await row(id)]).toEqual([204, undefined]);
  const { rows } = await api.database.pool.query(
    "select (select count(*) from tenantry.client_user_instances where instance_id = $1)::int as assigned, (select count(*) from tenantry.mails where client_id = $2)::int as mails",
    [instance, client_id],
  );
  expect(rows).toEqual([{ assigned: 0, mails: 1 }]);
  expect(await kinds()).toEqual(["invitation.created", "client_user.removed"]);
  expect((await api.fetchAs("north", "DELETE", `/api/clients/${client_id}/users/${id}`)).status).toBe(404);
});

test("lists users newest first, each once, filtered by status", async () => {
  const { db } = api.database;
  for (const name of ["a", "b", "c"]) await insertClientUser(db, { client_id, email: `${name}@acme.test` });
  await insertClientUser(db, { client_id, email: "d@acme.test", status: "rejected" });
  const first = await list({ limit: "3" });
  expect(first.pagination.total).toBe(4);
  const second = await list({ limit: "3", after: first.pagination.next ?? "" });
  expect([...first.data, ...second.data].map(({ email }) => email[0])).toEqual(["d", "c", "b", "a"]);
  expect(second.pagination.next).toBeNull();
  expect((await list({ status: "rejected" })).data.map(({ email }) => email)).toEqual(["d@acme.test"]);
  expect((await api.fetchAs("north", "GET", `/api/clients/${client_id}/users?after=%00`)).status).toBe(400);
});

test("hides another partner's clients, users and instances", async () => {
  const { db } = api.database;
  const theirs = await insertClientUser(db, { client_id: foreign.client_id, email: "sue@south.test" }, [
    foreign.instance,
  ]);
  const at = `/api/clients/${foreign.client_id}/users`;
  // Another partner's client, and another partner's user under an own client.
  for (const base of [at, `/api/clients/${client_id}/users`]) {
    for (const [method, path, body] of [
      ["PUT", `/${theirs}`, { role: "ADMIN" }],
      ["DELETE", `/${theirs}`, undefined],
      ["POST", `/${theirs}/resend`, undefined],
      ["POST", `/${theirs}/revoke`, undefined],
    ] as const) {
      expect([path, (await api.fetchAs("north", method, base + path, body)).status]).toEqual([path, 404]);
    }
  }
  expect((await api.fetchAs("north", "GET", at)).status).toBe(404);
  expect(await refusedInvite({ instance_ids: [foreign.instance] }, "north", foreign.client_id)).toEqual([
    404,
    "not_found",
    [],
  ]);
  expect(await refusedInvite({ instance_ids: [foreign.instance] })).toEqual([400, "invalid_request", ["instance_ids"]]);
  expect(await kinds(foreign.client_id)).toEqual([]);
  // The database enforces it independently of the handlers.
  await expect(
    db.insertInto("tenantry.client_user_instances").values({ client_user_id: theirs, instance_id: instance }).execute(),
  ).rejects.toThrow("instances of the same client");
});

test("refuses users for a deleted client", async () => {
  await api.database.pool.query("update tenantry.clients set delete_after = now() + interval '7 days' where id = $1", [
    client_id,
  ]);
  expect(await refusedInvite({})).toEqual([409, "conflict", []]);
});

test("limits a caller to 60 invitations an hour, including removed users and bursts", async () => {
  const { pool } = api.database;
  const south = { client_id: foreign.client_id, instance: foreign.instance };
  const { rows } = await pool.query("select id from tenantry.dashboard_users where email = $1", [api.emails.south]);
  await pool.query(
    "insert into tenantry.mails (kind, recipient, client_id, requested_by, created_at) select 'invitation', 'x@y.test', $1, $2, now() - interval '59 minutes' from generate_series(1, 57)",
    [south.client_id, rows[0].id],
  );
  const send = (email: string, as: As = "south") =>
    api.fetchAs(as, "POST", `/api/clients/${south.client_id}/users`, {
      email,
      role: "ADMIN",
      instance_ids: [south.instance],
    });
  const first = await send("first@south.test");
  const { id } = (await first.json()) as { id: string };
  expect((await api.fetchAs("south", "DELETE", `/api/clients/${south.client_id}/users/${id}`)).status).toBe(204);
  const crowd = await Promise.all(["a", "b", "c", "d"].map((name) => send(`${name}@south.test`)));
  expect(crowd.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429]);
  const refused = crowd.find(({ status }) => status === 429);
  const seconds = Number(refused?.headers.get("retry-after"));
  expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
  expect(await refused?.json()).toMatchObject({ error: { code: "limit_exceeded" } });
  expect((await send("of-root@south.test", "root")).status).toBe(201);
});
