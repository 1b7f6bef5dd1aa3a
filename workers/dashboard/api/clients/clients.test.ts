/** Creation, updates and visibility of clients over HTTP. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
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

test("creates a draft client, internal for a platform root and of its own partner for a partner root", async () => {
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

test("refuses an invalid or used slug, another partner and an unknown one", async () => {
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

test("creates a client once for one idempotency key, also concurrently, and refuses another request with the key", async () => {
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
  // Idempotency keys are scoped to the caller.
  expect((await create(north, { slug: "key-of-north" }, headers)).status).toBe(201);
});

test("updates only the expected version, and increments it", async () => {
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

test("moves a client from draft to active to production, one step at a time", async () => {
  const { id } = await made("stepwise");
  const go = (status: string) => api.fetchAs(root, "PUT", "/client/update", { id, status });
  expect((await go("production")).status).toBe(409);
  expect((await go("active")).status).toBe(200);
  expect((await go("production")).status).toBe(200);
  expect((await go("draft")).status).toBe(409);
});

test("invalidates the dispatch Worker's cache after a status change that affects routing", async () => {
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

test("gives a partner root no access to another partner's clients", async () => {
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

test("refuses changes of clients in Git with the file name, except freezing", async () => {
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

test("changes the plan of a client with an instance by a job, as the instance's route does", async () => {
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

test("refuses changes from another site, and bodies that are not JSON", async () => {
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

test("records actor, action, values and origin of every write", async () => {
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

test("sends events of a client to the roots with access, and of its move to the former partner", async () => {
  const { id } = await made("renamed", north);
  const params = { client_id: id };
  await insertInstance(api.database.db, id, { managed_by: "dashboard" });
  await api.call(clientRoutes.updateClient, { as: north, body: { id, name: "Renamed" } });
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

test("returns the declaring file of a client in Git", async () => {
  const owner = "urn:pulumi:prod-hooli::tenantry::tenantry:index:DatabaseRecord::client-hooli";
  const id = await insertClient(api.database.db, { slug: "hooli", owner });
  const { body } = await api.call(clientRoutes.getClient, { as: root, params: { client_id: id } });
  expect(body.declared_in).toBe("Pulumi.prod-hooli.yaml");
  expect((await made("of-nobody")).declared_in).toBeNull();
});
