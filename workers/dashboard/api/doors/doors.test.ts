/** Doors and the inbox in the API, with the real dispatch Worker's orders answered by a server. */
import { WEBHOOK_KINDS, type WebhookKind, webhookKinds } from "@tenantry/webhooks/kinds";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { isDoorKey } from "#domain/doors/door-key.ts";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { AnsweringServer } from "../../testing/answering-server.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
import { hashOf, invalidatedHashes, resolvedByKey, storedText } from "./testing/stored-doors.ts";

const DAY_MS = 86_400_000;
const dispatch = new AnsweringServer();
const { requests: orders, answers } = dispatch;
let api: ApiUnderTest;
let acme: { client: string; instance: string };
beforeAll(async () => {
  api = await startApi({ DISPATCH_URL: await dispatch.start(), INVALIDATE_TOKEN: "token" });
  const values = { slug: "acme", partner_id: api.partners.north, billing_plan: "free" };
  const client = await insertClient(api.database.db, values);
  acme = { client, instance: await insertInstance(api.database.db, client) };
});
afterAll(async () => {
  await api?.stop();
  await dispatch.stop();
});
afterEach(async () => {
  await api.database.pool.query("delete from tenantry.doors; delete from tenantry.jobs; delete from tenantry.events");
  dispatch.reset();
});

const ofInstance = () => ({ instance_id: acme.instance });
const create = async (body: object, as: As = "north", headers: Record<string, string> = {}) =>
  (await api.call(doorRoutes.createDoor, { as, params: ofInstance(), body, headers })).body;
const rotate = async (id: string, body: object, as: As = "north") =>
  (await api.call(doorRoutes.rotateDoor, { as, params: { id }, body })).body;
const list = async (as: As = "north") => (await api.call(doorRoutes.listDoors, { as, params: ofInstance() })).body;
const resolve = (url: string) => resolvedByKey(api, url);
const stored = () => storedText(api);
const invalidated = () => invalidatedHashes(api);

test("creates a door, and returns its address and the generated secrets once", async () => {
  const created = await create({ kind: "telegram", name: "support-bot" });
  const { url, generated, ...door } = created;
  expect(door).toMatchObject({
    ...{ instance_id: acme.instance, kind: "telegram", name: "support-bot", state: "active", version: 1 },
    ...{ secret_names: ["secretToken"], created_by: "root@north.test", rotated_at: null, last_used_at: null },
    last_refusal: null,
  });
  const { hostname, pathname } = new URL(url);
  const key = pathname.slice(1);
  expect([hostname.startsWith("hooks."), isDoorKey(key), key.endsWith(door.key_hint)]).toEqual([true, true, true]);
  expect(await resolve(url)).toMatchObject({ id: door.id, slug: "acme", secrets: generated, former: undefined });
  expect(await invalidated()).toEqual([[await hashOf(url)]]);
  expect(await list()).toEqual({ data: [door], limit: 2 });
  const secrets = [key, generated.secretToken ?? ""];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(await stored()).not.toContain(secret);
    expect(api.logs.join("\n")).not.toContain(secret);
  }
});

test.each(webhookKinds.filter((kind) => isComplete(kind)))("generates every secret of %s", async (kind) => {
  const { generated, url } = await create({ kind, name: "one" });
  expect(Object.keys(generated)).toEqual([...WEBHOOK_KINDS[kind].generated]);
  expect(await resolve(url)).toMatchObject({ secrets: generated });
});

/** Whether the platform generates all secrets that the kind requires. */
function isComplete(kind: WebhookKind): boolean {
  const { generated, secrets } = WEBHOOK_KINDS[kind];
  const given = Object.fromEntries(generated.map((name) => [name, "x".repeat(43)]));
  return generated.length > 0 && secrets.safeParse(given).success;
}

test("stores secrets of the vendor, and names the rule that a wrong one breaks, without its value", async () => {
  const { url, generated, secret_names } = await create({
    ...{ kind: "whatsapp", name: "wa", secrets: { appSecret: "from-meta" } },
  });
  expect([Object.keys(generated), secret_names]).toEqual([["verifyToken"], ["appSecret", "verifyToken"]]);
  expect((await resolve(url))?.secrets).toEqual({ appSecret: "from-meta", ...generated });
  for (const [body, field] of [
    [{ kind: "slack", name: "s" }, "secrets"],
    [{ kind: "discord", name: "s", secrets: { publicKey: "shh-not-hex" } }, "secrets"],
    [{ kind: "telegram", name: "s", secrets: { secretToken: "shh !" } }, "secrets"],
    [{ kind: "telegram", name: "s", secrets: { other: "shh" } }, "secrets"],
    [{ kind: "telephone", name: "s" }, "kind"],
    [{ kind: "telegram", name: "agent" }, "name"],
    [{ kind: "telegram", name: "Support" }, "name"],
    [{ kind: "telegram", name: "a".repeat(41) }, "name"],
    [{ kind: "telegram", name: "s", key: "mine" }, "body"],
  ] as const) {
    const { status, error } = await api.refused(doorRoutes.createDoor, { as: "north", params: ofInstance(), body });
    expect([status, Object.keys(error.details as object)]).toEqual([400, [field]]);
    expect(JSON.stringify(error)).not.toContain("shh");
  }
  expect((await list()).data).toHaveLength(1);
  expect((await create({ kind: "openclaw", name: "agent" })).name).toBe("agent");
});

test("answers a repeated request with the same secrets, which are stored encrypted", async () => {
  const headers = { "idempotency-key": "first" };
  const body = { kind: "bearer", name: "one" };
  const created = await create(body, "north", headers);
  expect(await create(body, "north", headers)).toEqual(created);
  expect((await list()).data).toHaveLength(1);
  expect(await stored()).not.toContain(created.generated.token);
  const other = { as: "north" as const, params: ofInstance(), body: { ...body, name: "two" }, headers };
  expect((await api.refused(doorRoutes.createDoor, other)).error.reason).toBe("idempotency_key_reused");
  // Copied to the row of another key, it does not open.
  await api.database.pool.query("update tenantry.idempotency_keys set key = 'second'");
  const copied = { ...other, body, headers: { "idempotency-key": "second" } };
  expect((await api.refused(doorRoutes.createDoor, copied)).status).toBe(500);
  await api.database.pool.query("delete from tenantry.idempotency_keys");
});

test("allows as many doors as the plan, also for concurrent requests, and each name once", async () => {
  await create({ kind: "bearer", name: "one" });
  const twice = await api.refused(doorRoutes.createDoor, {
    ...{ as: "north", params: ofInstance(), body: { kind: "hmac", name: "one" } },
  });
  expect([twice.status, twice.error.reason]).toEqual([409, "door_name_exists"]);
  const attempts = await Promise.all(
    ["two", "three"].map((name) =>
      api.fetchAs("north", "POST", `/api/instances/${acme.instance}/doors`, { kind: "bearer", name }),
    ),
  );
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 429]);
  const refused = attempts.find(({ status }) => status === 429);
  expect(await refused?.json()).toMatchObject({
    error: {
      reason: "door_limit_reached",
      message: expect.stringContaining("has 2 doors, and its plan Free allows 2"),
    },
  });
});

test("shows and changes a partner's doors to its own root and to platform roots only", async () => {
  const door = await create({ kind: "bearer", name: "one" });
  const at = (as: As) => ({ as, params: { id: door.id } });
  const body = { state: "disabled" };
  expect((await api.refused(doorRoutes.listDoors, { as: "south", params: ofInstance() })).status).toBe(404);
  for (const [route, sent] of [
    [doorRoutes.updateDoor, { body }],
    [doorRoutes.rotateDoor, { body: { what: "key" } }],
    [doorRoutes.deleteDoor, {}],
  ] as const) {
    expect((await api.refused(route, { ...at("south"), ...sent })).error.reason).toBe("instance_door_not_found");
  }
  expect((await list("root")).data.map(({ id }) => id)).toEqual([door.id]);
  expect((await api.call(doorRoutes.updateDoor, { ...at("root"), body })).body.state).toBe("disabled");
});

test("disables, enables and renames a door with an audit entry each, and deletes it", async () => {
  const { url, id } = await create({ kind: "bearer", name: "one" });
  const update = async (body: object, version: number) =>
    api.call(doorRoutes.updateDoor, { as: "north", params: { id }, body, headers: { "if-match": `"${version}"` } });
  expect((await update({ state: "disabled" }, 1)).body).toMatchObject({ state: "disabled", version: 2 });
  expect(await resolve(url)).toMatchObject({ state: "disabled" });
  const outdated = { as: "north" as const, params: { id }, body: { state: "active" }, headers: { "if-match": '"1"' } };
  expect((await api.refused(doorRoutes.updateDoor, outdated)).status).toBe(412);
  expect((await update({ state: "active", name: "two" }, 2)).body).toMatchObject({ state: "active", name: "two" });
  const wake = { as: "north" as const, params: { id }, body: { name: "wake" } };
  expect((await api.refused(doorRoutes.updateDoor, wake)).status).toBe(400);
  await api.call(doorRoutes.deleteDoor, { as: "north", params: { id } });
  expect(await resolve(url)).toBeUndefined();
  const hash = await hashOf(url);
  expect(await invalidated()).toEqual([[hash], [hash], [hash], [hash]]);
  const { rows } = await api.database.pool.query(
    "select action, actor, before ->> 'state' as before, after ->> 'state' as after from tenantry.audit_log where entity_id = $1 order by id",
    [id],
  );
  const by = { actor: "root@north.test" };
  expect(rows).toEqual([
    { ...by, action: "insert", before: null, after: "active" },
    { ...by, action: "update", before: "active", after: "disabled" },
    { ...by, action: "update", before: "disabled", after: "active" },
    { ...by, action: "delete", before: "active", after: null },
  ]);
  const events = await api.database.pool.query("select kind, data from tenantry.events order by id");
  expect(events.rows.map(({ kind }) => kind)).toEqual(
    ["created", "changed", "changed", "deleted"].map((one) => `door.${one}`),
  );
  expect(events.rows[0].data).toEqual({ instance_id: acme.instance, by: "root@north.test", door_id: id, name: "one" });
});

test("rotates a key: the former one is accepted for a day, or not at all", async () => {
  const first = await create({ kind: "bearer", name: "one" });
  const second = await rotate(first.id, { what: "key" });
  expect(second).toMatchObject({ generated: {}, key_hint: second.url?.slice(-4), version: 2 });
  const until = Date.parse(second.former_key_until ?? "");
  expect(Math.abs(until - Date.parse(second.rotated_at ?? "") - DAY_MS)).toBeLessThan(1000);
  // Of two people who rotate the same version, the second would end the address that the vendor still uses.
  const headers = { "if-match": '"1"' };
  const again = { as: "north" as const, params: { id: first.id }, headers, body: { what: "key" } };
  expect((await api.refused(doorRoutes.rotateDoor, again)).status).toBe(412);
  const third = async (url: string | null) => resolve(url ?? "");
  expect((await third(second.url))?.id).toBe(first.id);
  expect((await resolve(first.url))?.id).toBe(first.id);
  const last = await rotate(first.id, { what: "key", expire_former_in_seconds: 0 });
  expect(last.former_key_until).toBeNull();
  expect([await resolve(first.url), await third(second.url)]).toEqual([undefined, undefined]);
  expect((await third(last.url))?.secrets).toEqual(first.generated);
  const hashes = await Promise.all([first.url, second.url, last.url].map((url) => hashOf(url ?? "")));
  expect((await invalidated()).map((doors) => doors.toSorted())).toEqual(
    [[hashes[0]], hashes.slice(0, 2), hashes].map((doors) => doors.toSorted()),
  );
});

test("rotates secrets: generates them, or replaces those that are given", async () => {
  const { url, id, generated } = await create({ kind: "whatsapp", name: "wa", secrets: { appSecret: "one" } });
  const next = await rotate(id, { what: "secrets", secrets: { appSecret: "two" } });
  expect([next.url, next.generated]).toEqual([null, {}]);
  expect(await resolve(url)).toMatchObject({
    secrets: { appSecret: "two", ...generated },
    former: { appSecret: "one", ...generated },
  });
  const last = await rotate(id, { what: "secrets", expire_former_in_seconds: 0 });
  expect([last.former_until, Object.keys(last.generated)]).toEqual([null, ["verifyToken"]]);
  expect(await resolve(url)).toMatchObject({ secrets: { appSecret: "two", ...last.generated }, former: undefined });
  expect(last.generated).not.toEqual(generated);
  const slack = await create({ kind: "slack", name: "slack", secrets: { signingSecret: "s" } });
  for (const body of [
    { what: "secrets" },
    { what: "secrets", secrets: { signingSecret: "" } },
    { what: "key", secrets: { signingSecret: "x" } },
    { what: "key", expire_former_in_seconds: 604_801 },
    { what: "name" },
  ]) {
    const sent = { as: "north" as const, params: { id: slack.id }, body };
    expect([body, (await api.refused(doorRoutes.rotateDoor, sent)).status]).toEqual([body, 400]);
  }
});

test("removes an optional secret that is null, and no required one", async () => {
  const signingToken = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const { url, id, generated } = await create({ kind: "gitlab", name: "one", secrets: { signingToken } });
  const removed = await rotate(id, { what: "secrets", secrets: { signingToken: null } });
  expect([removed.secret_names, removed.generated]).toEqual([["token"], {}]);
  expect(await resolve(url)).toMatchObject({ secrets: generated, former: { ...generated, signingToken } });
  for (const secrets of [{ token: null }, { other: null }]) {
    const sent = { as: "north" as const, params: { id }, body: { what: "secrets", secrets } };
    const { status, error } = await api.refused(doorRoutes.rotateDoor, sent);
    expect([secrets, status, Object.keys(error.details as object)]).toEqual([secrets, 400, ["secrets"]]);
  }
});

test("shows a door that a stack declares with its file, and refuses to change it", async () => {
  const { id } = await create({ kind: "bearer", name: "one" });
  const owner = "urn:pulumi:prod-acme::tenantry::tenantry:index:Door::acme.one";
  await api.database.pool.query("update tenantry.doors set managed_by = 'git', owner = $1", [owner]);
  expect((await list()).data).toMatchObject([{ managed_by: "git", declared_in: "Pulumi.prod-acme.yaml" }]);
  for (const [route, sent] of [
    [doorRoutes.updateDoor, { body: { state: "disabled" } }],
    [doorRoutes.rotateDoor, { body: { what: "key" } }],
    [doorRoutes.deleteDoor, {}],
  ] as const) {
    const { status, error } = await api.refused(route, { as: "root", params: { id }, ...sent });
    expect([status, error.code, error.details]).toEqual([409, "managed_by_git", { file: "Pulumi.prod-acme.yaml" }]);
  }
  expect((await list()).data).toMatchObject([{ state: "active", version: 1 }]);
});

test("replaces secrets that cannot be decrypted only as a whole", async () => {
  const { url, id } = await create({ kind: "whatsapp", name: "wa", secrets: { appSecret: "one" } });
  await api.database.pool.query("update tenantry.doors set secrets = set_byte(secrets, 40, get_byte(secrets, 40) # 1)");
  const part = { what: "secrets", secrets: { appSecret: "two" } };
  const refused = await api.refused(doorRoutes.rotateDoor, { as: "north", params: { id }, body: part });
  expect([refused.status, refused.error.reason]).toEqual([409, "door_secrets_unreadable"]);
  const whole = { appSecret: "two", verifyToken: "three" };
  await rotate(id, { what: "secrets", secrets: whole, expire_former_in_seconds: 0 });
  expect((await resolve(url))?.secrets).toEqual(whole);
});

const MESSAGE = "e9f0a1b2-c3d4-4e5f-8a6b-7c8d9e0f1a2b";
const TS = "2026-11-03T07:20:00.000Z";
const message = {
  ...{ id: MESSAGE, door: MESSAGE, kind: "slack", name: "one", eventId: "Ev1", conversation: null, receivedAt: TS },
  ...{ state: "dead", bytes: 3, attempts: 8, changedAt: TS, failure: { reason: "status", status: 401 } },
};

test("lists the tenant's inbox, with the query passed on", async () => {
  const status = { pending: 1, dead: 1, limit: 1000, oldestAt: TS };
  answers.set("/_inbox/acme", { body: { messages: [message], next: "17", status } });
  const query = { state: "dead", after: "5", limit: "20" };
  const { body } = await api.call(doorRoutes.listInbox, { as: "north", params: ofInstance(), query });
  expect(body).toEqual({
    data: [
      {
        ...{ id: MESSAGE, door: { id: MESSAGE, kind: "slack", name: "one" }, event_id: "Ev1", conversation: null },
        ...{ state: "dead", bytes: 3, attempts: 8, received_at: TS, changed_at: TS, next_attempt_at: null },
        failure: { reason: "status", status: 401 },
      },
    ],
    pagination: { next: "17" },
    inbox: { pending: 1, dead: 1, limit: 1000, oldest_at: TS },
  });
  expect(orders).toEqual([["GET", "/_inbox/acme?state=dead&after=5&limit=20"]]);
  const hidden = { as: "south" as const, params: ofInstance() };
  expect((await api.refused(doorRoutes.listInbox, hidden)).status).toBe(404);
  const invalid = { as: "north" as const, params: ofInstance(), query: { limit: "201" } };
  expect((await api.refused(doorRoutes.listInbox, invalid)).status).toBe(400);
});

test("replays and drops messages with an event each, and none if the order fails", async () => {
  answers.set("/_inbox-replay/acme", { body: { changed: 1 } });
  answers.set("/_inbox-drop/acme", { body: { changed: 4 } });
  const send = async (route: typeof doorRoutes.replayInbox | typeof doorRoutes.dropInbox, body: object) =>
    (await api.call(route, { as: "north", params: ofInstance(), body })).body;
  expect(await send(doorRoutes.replayInbox, { ids: [MESSAGE] })).toEqual({ changed: 1 });
  expect(await send(doorRoutes.dropInbox, { all: true })).toEqual({ changed: 4 });
  expect(orders).toEqual([
    ["POST", "/_inbox-replay/acme", { ids: [MESSAGE] }],
    ["POST", "/_inbox-drop/acme", { all: true }],
  ]);
  answers.clear();
  const failed = { as: "north" as const, params: ofInstance(), body: { all: true } };
  expect((await api.refused(doorRoutes.dropInbox, failed)).error.code).toBe("gateway_unavailable");
  for (const body of [{}, { ids: [] }, { ids: ["x"] }, { all: false }, { all: true, ids: [MESSAGE] }]) {
    expect((await api.refused(doorRoutes.replayInbox, { ...failed, body })).status).toBe(400);
  }
  const { rows } = await api.database.pool.query("select kind from tenantry.events order by id");
  expect(rows.map(({ kind }) => kind)).toEqual(["instance.inbox_replay_ordered", "instance.inbox_drop_ordered"]);
  const audited = "select actor, after from tenantry.audit_log where entity = 'inbox' order by id";
  expect((await api.database.pool.query(audited)).rows).toEqual([
    { actor: "root@north.test", after: { order: "replay", ids: [MESSAGE] } },
    { actor: "root@north.test", after: { order: "drop", all: true } },
  ]);
});

test("exports the inbox as it is, and says when the tenant's Worker has none", async () => {
  const lines = `${JSON.stringify({ ...message, body: "YWJj" })}\n`;
  answers.set("/_inbox-export/acme", { body: lines });
  const path = `/api/instances/${acme.instance}/inbox/export?state=dead`;
  const response = await api.fetchAs("north", "GET", path);
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    ...[200, "application/x-ndjson", lines],
  ]);
  expect(orders).toEqual([["GET", "/_inbox-export/acme?state=dead"]]);
  // Also in the grace period of a deletion.
  await api.database.pool.query("update tenantry.clients set delete_after = now() + interval '7 days'");
  await api.database.pool.query("update tenantry.instances set status = 'frozen'");
  expect(await (await api.fetchAs("north", "GET", path)).text()).toBe(lines);
  const error = { code: "not_found", reason: "internal_path_not_found", message: "No such path." };
  answers.set("/_inbox-export/acme", { status: 404, body: { error } });
  const earlier = await api.fetchAs("north", "GET", path);
  expect(await earlier.json()).toMatchObject({ error: { code: "conflict", reason: "tenant_without_order" } });
});
