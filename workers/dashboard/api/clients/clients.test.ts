/** Clients over HTTP, by platform roots and partner roots. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { advanceCredits } from "#database/billing/credit-steps.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
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

test("a client begins as a draft of the dashboard's, internal for a platform root and its own partner's for a partner root", async () => {
  const internal = await create(root, { slug: "internal" });
  expect(internal.status).toBe(201);
  expect(internal.body).toMatchObject({ slug: "internal", name: "internal", status: "draft", managed_by: "dashboard" });
  expect(internal.body.partner).toBeNull();
  expect((await create(north, { slug: "of-north", name: "Of North" })).body).toMatchObject({
    name: "Of North",
    partner: { slug: "north" },
  });
  expect((await create(root, { slug: "for-north", partner_id: api.partners.north })).body.partner?.slug).toBe("north");
});

test("a slug that cannot be, that is taken, another's partner and an unknown one are refused, and leave nothing behind", async () => {
  await made("taken");
  const refused = async (as: "root" | "north", body: Record<string, unknown>) => {
    const { status, error } = await api.refused(clientRoutes.createClient, {
      as,
      body: { billing_plan: "basic", ...body },
    });
    return [status, error.code, Object.keys((error.details as object | undefined) ?? {})];
  };
  expect(await refused(root, { slug: "dash" })).toEqual([400, "invalid_request", ["slug"]]);
  expect(await refused(root, { slug: "Upper" })).toEqual([400, "invalid_request", ["slug"]]);
  expect(await refused(root, { slug: "taken" })).toEqual([409, "conflict", []]);
  expect(await refused(root, { slug: "lost", partner_id: crypto.randomUUID() })).toEqual([
    400,
    "invalid_request",
    ["partner_id"],
  ]);
  expect(await refused(north, { slug: "lost", partner_id: api.partners.south })).toEqual([403, "forbidden", []]);
  expect(await refused(root, { slug: "lost", billing_plan: "gold", extra: 1 })).toEqual([
    400,
    "invalid_request",
    expect.arrayContaining(["billing_plan"]),
  ]);
  const { rows } = await api.database.pool.query("select from tenantry.clients where slug = 'lost'");
  expect(rows).toEqual([]);
});

test("the same creation under one key is made once, also at the same moment; another under it is refused", async () => {
  const headers = { "idempotency-key": "order-66" };
  const [first, second] = await Promise.all([
    create(root, { slug: "once" }, headers),
    create(root, { slug: "once" }, headers),
  ]);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  const replayed = [first, second].filter(({ headers: sent }) => sent.get("idempotency-replayed") === "true");
  expect(replayed).toHaveLength(1);
  const other = { as: root, body: { slug: "twice", billing_plan: "basic" }, headers } as const;
  expect(await api.refused(clientRoutes.createClient, other)).toMatchObject({
    status: 409,
    error: { code: "conflict" },
  });
  // A key is its caller's own.
  expect((await create(north, { slug: "key-of-north" }, headers)).status).toBe(201);
});

test("a change is made to the version that was seen, and counted", async () => {
  const seen = await api.call(clientRoutes.getClient, {
    as: root,
    params: { client_id: (await made("versioned")).id },
  });
  expect(seen.headers.get("etag")).toBe('"1"');
  const update = (match: string, name: string) => ({
    as: root,
    body: { id: seen.body.id, name },
    headers: { "if-match": match },
  });
  const changed = await api.call(clientRoutes.updateClient, update('"1"', "First"));
  expect([changed.body.name, changed.body.version, changed.headers.get("etag")]).toEqual(["First", 2, '"2"']);
  expect(await api.refused(clientRoutes.updateClient, update('"1"', "Late"))).toMatchObject({
    status: 412,
    error: { code: "precondition_failed", details: { version: 2 } },
  });
  expect((await api.call(clientRoutes.updateClient, update("*", "Any"))).body.name).toBe("Any");
  expect(await api.refused(clientRoutes.updateClient, update("1", "Odd"))).toMatchObject({ status: 400 });
});

test("a client goes from draft to active to production, a step at a time", async () => {
  const { id } = await made("stepwise");
  const go = (status: string) => api.fetchAs(root, "PUT", "/client/update", { id, status });
  expect((await go("production")).status).toBe(409);
  expect((await go("active")).status).toBe(200);
  expect((await go("production")).status).toBe(200);
  expect((await go("draft")).status).toBe(409);
});

test("a step that opens or shuts the gate has the dispatch Worker forget the tenant", async () => {
  const { id } = await made("gated");
  const go = (status: string) => api.fetchAs(root, "PUT", "/client/update", { id, status });
  const forgotten = async () =>
    (await api.database.pool.query("select from tenantry.jobs where client_id = $1 and kind = 'invalidate'", [id]))
      .rowCount;
  await go("active");
  expect(await forgotten()).toBe(0);
  await insertInstance(api.database.db, id, { status: "running" });
  const counts: unknown[] = [];
  for (const status of ["production", "active", "draft", "active"]) {
    expect((await go(status)).status).toBe(200);
    counts.push(await forgotten());
  }
  expect(counts).toEqual([0, 0, 1, 2]);
});

test("a partner root sees and touches nothing of another partner's", async () => {
  const { id } = await made("of-south", south);
  const body = { id, name: "mine" };
  for (const [method, path, sent] of [
    ["GET", `/client/${id}`, undefined],
    ["PUT", "/client/update", body],
    ["DELETE", `/client/${id}`, undefined],
    ["POST", `/client/${id}/restore`, undefined],
    ["POST", `/client/${id}/freeze`, {}],
    ["POST", `/client/${id}/resume`, undefined],
  ] as const) {
    expect([method, path, (await api.fetchAs(north, method, path, sent)).status]).toEqual([method, path, 404]);
  }
  const { body: list } = await api.call(clientRoutes.listClients, { as: north, query: { limit: "100" } });
  expect(list.data.filter(({ partner }) => partner?.slug !== "north")).toEqual([]);
  const own = await made("stays", north);
  expect((await api.fetchAs(north, "PUT", "/client/update", { id: own.id, partner_id: null })).status).toBe(403);
  expect((await api.fetchAs(north, "GET", `/client/${own.id}/partner`)).status).toBe(403);
  expect(await (await api.fetchAs(root, "GET", `/client/${own.id}/partner`)).json()).toMatchObject({ slug: "north" });
});

test("what Git declares is refused by the name of its file, but for freezing", async () => {
  const { db } = api.database;
  const owner = "urn:pulumi:prod-acme::tenantry::tenantry:index:DatabaseRecord::client-acme";
  const id = await insertClient(db, { slug: "of-git", owner });
  await insertInstance(db, id);
  const refusal = { status: 409, error: { code: "managed_by_git", details: { file: "Pulumi.prod-acme.yaml" } } };
  expect(await api.refused(clientRoutes.updateClient, { as: root, body: { id, name: "x" } })).toMatchObject(refusal);
  expect(await api.refused(clientRoutes.deleteClient, { as: root, params: { client_id: id } })).toMatchObject(refusal);
  const { body } = await api.call(clientRoutes.freezeClient, { as: root, params: { client_id: id }, body: {} });
  expect(body.instance?.status).toBe("frozen");
});

test("freezing and resuming change the instance at once and leave a job of their generation", async () => {
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
])(
  "what was %s, and is the %s's, is %s once it is frozen no more: freezing makes nothing run",
  async (before, owner, after) => {
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
  },
);

test("another plan of a client with an instance leaves a job, as it does by the instance's own route", async () => {
  const { db } = api.database;
  const { id } = await made("upgraded");
  await api.call(clientRoutes.updateClient, { as: root, body: { id, billing_plan: "pro" } });
  const instance_id = await insertInstance(db, id, { managed_by: "dashboard" });
  const { body } = await api.call(clientRoutes.updateClient, { as: root, body: { id, billing_plan: "enterprise" } });
  expect(body.billing_plan).toBe("enterprise");
  const jobs = await db
    .selectFrom("tenantry.jobs")
    .select(["kind", "payload"])
    .where("instance_id", "=", instance_id)
    .execute();
  expect(jobs).toEqual([{ kind: "change_plan", payload: { from: "pro", to: "enterprise" } }]);
});

test("a deleted client is frozen until its time of grace is over, and can be had back until then", async () => {
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

test("a slug in its grace period is refused with the date, how to restore its client and how to end the period now", async () => {
  const { id } = await made("resting", north);
  const gone = await api.call(clientRoutes.deleteClient, { as: north, params: { client_id: id } });
  const until = gone.body.delete_after ?? "";
  const again = { slug: "resting", billing_plan: "basic" };
  const refused = await api.refused(clientRoutes.createClient, { as: north, body: again });
  expect(refused).toEqual({
    status: 409,
    error: {
      code: "conflict",
      message: `The slug resting belongs to a deleted client until ${until}. Restore that client (POST /client/${id}/restore), end its grace period now (DELETE /client/${id}?now=true), or choose another slug.`,
      details: { client_id: id, delete_after: until },
    },
  });
  const preview = async (as: "root" | "north" | "south") =>
    (await api.call(clientRoutes.previewClient, { as, query: again })).body.faults.find(({ of }) => of === "slug")
      ?.message;
  expect(await preview(root)).toContain(`belongs to the deleted client resting until ${until}; restore that client`);
  // Another partner's: only that it is taken.
  expect(await preview(south)).toBe("belongs to another client; choose another slug");
  const other = await api.refused(clientRoutes.createClient, { as: south, body: again });
  expect(other.error).toEqual({
    code: "conflict",
    message: "A client with this slug already exists. Choose another slug.",
  });
});

test("the grace period is ended by a second call, and by platform roots alone where they or credit deleted the client", async () => {
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
  // Ended again, the earlier date stays.
  expect((await api.call(clientRoutes.deleteClient, { as: root, params, query })).body.delete_after).toBe(
    ended.body.delete_after,
  );
});

test("what was frozen before a deletion is frozen after it is taken back; a stopped instance is left alone", async () => {
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

test("a partner root lets nothing go on that the platform froze, by no way, nor has back a client that it deleted", async () => {
  const { id } = await made("abused", north);
  const instance_id = await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  const params = { client_id: id };
  const instance = async () => (await api.call(clientRoutes.getClient, { as: north, params })).body.instance;
  const refused = { status: 403, error: { code: "forbidden", message: expect.stringContaining("platform root") } };
  // Frozen by its own partner root before, so that the platform's freeze would change nothing.
  await api.call(clientRoutes.freezeClient, { as: north, params, body: {} });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "partner" });
  await api.call(clientRoutes.freezeClient, { as: root, params, body: { cause: "abuse" } });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "platform" });
  expect(await api.refused(clientRoutes.resumeClient, { as: north, params })).toMatchObject(refused);
  expect(await api.refused(instanceRoutes.removeInstance, { as: north, params: { instance_id } })).toMatchObject(
    refused,
  );
  // Its own deletion is its own to take back, and leaves the freeze as it was.
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

test("what credit froze goes on with credit alone: not resumed, nor removed and made anew, nor deleted and had back", async () => {
  const { pool, db } = api.database;
  const { id } = await made("spent", north);
  const params = { client_id: id };
  const instance_id = await insertInstance(db, id, { managed_by: "dashboard", ai_gateway_id: "dedicated-spent" });
  await pool.query("insert into tenantry.credit_pools (client_id, prepaid) values ($1, true)", [id]);
  const later = (days: number) => new Date(Date.now() + days * 86_400_000);
  for (const days of [0, 7.1]) {
    await db.transaction().execute((tx) => advanceCredits(tx, { at: later(days), clientIds: [id] }));
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

  // Its removal taken back leaves it frozen.
  await api.call(clientRoutes.deleteClient, { as: north, params });
  await api.call(instanceRoutes.removeInstance, { as: north, params: { instance_id } });
  expect((await instance())?.status).toBe("stopped");
  await api.call(clientRoutes.restoreClient, { as: north, params });
  expect(await instance()).toMatchObject({ status: "frozen", frozen_by: "credit" });

  // Another in its place is refused.
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

test("a change from another site, or that is no JSON, is not taken", async () => {
  const send = (headers: Record<string, string>, body = '{"slug":"foreign","billing_plan":"free"}') =>
    api.fetch("/client/new", { method: "POST", email: api.emails.root, headers, body });
  const json = { "content-type": "application/json" };
  expect((await send({ ...json, origin: "https://acme.example.test:8443" })).status).toBe(403);
  expect((await send({ ...json, "sec-fetch-site": "same-site" })).status).toBe(403);
  expect((await send({ "content-type": "text/plain" })).status).toBe(415);
  expect((await send(json, "{")).status).toBe(400);
  expect((await send(json, JSON.stringify({ slug: "x".repeat(300_000) }))).status).toBe(413);
  expect((await send({ ...json, origin: "https://dash.example.test:8443" })).status).toBe(201);
});

test("every write leaves who, what, before, after and from where", async () => {
  const { id } = await made("audited", north);
  await api.fetch("/client/update", {
    method: "PUT",
    email: api.emails.north,
    headers: { "content-type": "application/json", "cf-connecting-ip": "203.0.113.9" },
    body: JSON.stringify({ id, name: "Changed" }),
  });
  const { rows } = await api.database.pool.query(
    "select * from tenantry.audit_log where entity = 'clients' and entity_id = $1 order by id",
    [id],
  );
  expect(rows).toMatchObject([
    {
      action: "insert",
      actor: "root@north.test",
      actor_kind: "partner_root",
      before: null,
      after: { slug: "audited" },
    },
    { action: "update", before: { name: "audited" }, after: { name: "Changed" }, source: "203.0.113.9" },
  ]);
  expect(rows.every(({ partner_id, client_id }) => partner_id === api.partners.north && client_id === id)).toBe(true);
});

test("what is done to a client is told to whoever sees it, and its going to the partner who had it", async () => {
  const { id } = await made("told", north);
  const params = { client_id: id };
  await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  await api.call(clientRoutes.updateClient, { as: north, body: { id, name: "Told" } });
  await api.call(clientRoutes.freezeClient, { as: north, params, body: {} });
  await api.call(clientRoutes.resumeClient, { as: north, params });
  await api.call(clientRoutes.deleteClient, { as: north, params });
  await api.call(clientRoutes.deleteClient, { as: north, params });
  await api.call(clientRoutes.restoreClient, { as: north, params });
  await api.call(clientRoutes.updateClient, { as: root, body: { id, partner_id: api.partners.south } });
  const { rows } = await api.database.pool.query(
    "select kind, partner_id from tenantry.events where data ->> 'client_id' = $1 order by id",
    [id],
  );
  const { partners } = api;
  expect(rows.map(({ kind, partner_id }) => [kind, partner_id === partners.north ? "north" : "south"])).toEqual([
    ["client.created", "north"],
    ["client.changed", "north"],
    ["client.frozen", "north"],
    ["client.resumed", "north"],
    ["client.deletion_begun", "north"],
    ["client.restored", "north"],
    ["client.changed", "south"],
    ["client.left", "north"],
  ]);
});

test("a client of Git's tells which file declares it", async () => {
  const owner = "urn:pulumi:prod-hooli::tenantry::tenantry:index:DatabaseRecord::client-hooli";
  const id = await insertClient(api.database.db, { slug: "hooli", owner });
  const { body } = await api.call(clientRoutes.getClient, { as: root, params: { client_id: id } });
  expect(body.declared_in).toBe("Pulumi.prod-hooli.yaml");
  expect((await made("of-nobody")).declared_in).toBeNull();
});
