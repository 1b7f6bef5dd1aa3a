/** Channels in the API, with stand-ins of the vendors and of the dispatch Worker. */
import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { openChannel } from "#workers/shared/doors/channel-credentials.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY } from "../../testing/start-dashboard.ts";
import { startVendorApis, type VendorApis } from "../../testing/vendor-apis.ts";

const TOKEN = "700:AAF-secret_of_the_bot_123456789";
const OTHER = "700:AAF-another_token_of_it_1234567";
const SLACK = { kind: "slack", token: "xoxb-1-2-secret-of-the-bot", secret: "signing-secret" };

let messages: object[] = [];
const dispatch = createServer((request, response) => {
  const isAccepted = request.url?.includes("state=accepted");
  const listed = messages.filter((message) => ("state" in message && message.state === "accepted") === isAccepted);
  const status = { pending: 0, dead: 0, limit: 1000 };
  response.end(JSON.stringify({ messages: listed, status }));
});
let api: ApiUnderTest;
let vendors: VendorApis;
let acme: string;
let hooli: string;
let umbrella: string;
beforeAll(async () => {
  vendors = await startVendorApis();
  const port = await listen(dispatch, { port: 0 });
  const { url } = vendors;
  api = await startApi({
    DISPATCH_URL: `http://127.0.0.1:${port}`,
    INVALIDATE_TOKEN: "token",
    CHANNEL_APIS: JSON.stringify({ telegram: url, slack: url }),
  });
  const tenant = async (slug: string, partner_id: string, billing_plan: string) =>
    insertInstance(api.database.db, await insertClient(api.database.db, { slug, partner_id, billing_plan }));
  acme = await tenant("acme", api.partners.north, "basic");
  hooli = await tenant("hooli", api.partners.north, "free");
  umbrella = await tenant("umbrella", api.partners.south, "pro");
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([vendors?.stop(), closeAndCut(dispatch)]);
});
afterEach(async () => {
  for (const table of ["channels", "doors", "jobs", "events"])
    await api.database.pool.query(`delete from tenantry.${table}`);
  vendors.reset();
  messages = [];
});

const telegramBot = (token = TOKEN, id = "700") => vendors.bots.set(token, { id, name: "acme_bot" });
const body = { kind: "telegram", token: TOKEN };
/** Connects a channel with a door. */
const connect = async (sent: object = body, instance_id = acme, as: As = "north") => {
  const { body: created } = await api.call(channelRoutes.createChannel, { as, params: { instance_id }, body: sent });
  const { url, door_id } = created;
  if (url === null || door_id === null) throw new Error("The channel has no door.");
  return { ...created, url, door_id };
};
const refusedConnect = (sent: object = body, instance_id = acme, as: As = "north") =>
  api.refused(channelRoutes.createChannel, { as, params: { instance_id }, body: sent });
const list = async (instance_id = acme, as: As = "north") =>
  (await api.call(channelRoutes.listChannels, { as, params: { instance_id } })).body.data;
const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const pushes = async () =>
  (await query("select slug from tenantry.jobs where kind = 'push_channels' order by created_at, id")).map(
    ({ slug }) => slug,
  );
const counts = async () => {
  const [row] = await query(
    "select (select count(*)::int from tenantry.channels) as channels, (select count(*)::int from tenantry.doors) as doors, (select count(*)::int from tenantry.jobs) as jobs",
  );
  return row;
};
const NOTHING = { channels: 0, doors: 0, jobs: 0 };
const opened = async (id: string) => {
  const [row] = await query("select credentials from tenantry.channels where id = $1", id);
  return openChannel({ used: DOORS_KEY }, id, row.credentials);
};
const setPushed = () => query("update tenantry.channels set pushed_at = now()");

/** Returns the text of everything that could have a token. */
async function everywhere(): Promise<string> {
  const tables = ["channels", "doors", "audit_log", "events", "jobs", "idempotency_keys"];
  const rows = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  return JSON.stringify([rows, api.logs]);
}

test("connects a bot: creates a door, stores the token encrypted, and sends the tenant its channels", async () => {
  telegramBot();
  const { url, steps, ...created } = await connect({ ...body, token: ` ${TOKEN}\n` });
  expect(created).toMatchObject({
    ...{ instance_id: acme, kind: "telegram", account: { id: "700", name: "@acme_bot" }, state: "pushing", version: 1 },
    ...{ last_error: null, pushed_at: null, connected_at: null, created_by: "root@north.test" },
  });
  expect(steps).toEqual(["Send /start to @acme_bot in Telegram."]);
  expect(await list()).toEqual([created]);
  const [door] = (await api.call(doorRoutes.listDoors, { as: "north", params: { instance_id: acme } })).body.data;
  expect(door).toMatchObject({ id: created.door_id, kind: "telegram", name: "telegram" });
  const secretToken = expect.stringMatching(/^[\w-]{43}$/);
  const expected = { kind: "telegram", url, apiRoot: vendors.url, secrets: { botToken: TOKEN, secretToken } };
  expect(await opened(created.id)).toEqual(expected);
  expect(await pushes()).toEqual(["acme"]);
  for (const secret of [TOKEN, TOKEN.split(":")[1] ?? "", new URL(url).pathname.slice(1)]) {
    expect(await everywhere()).not.toContain(secret);
  }
  const [audit] = await query("select * from tenantry.audit_log where entity = 'channels'");
  expect(audit).toMatchObject({ action: "insert", actor: "root@north.test", entity_id: created.id });
  expect(Object.keys(audit.after)).not.toContain("credentials");
  const events = await query("select kind, data from tenantry.events where kind like 'channel.%'");
  const data = { instance_id: acme, by: "root@north.test", channel_id: created.id, kind: "telegram" };
  expect(events).toEqual([{ kind: "channel.created", data }]);
});

test("connects Slack with the secret by which its requests are verified", async () => {
  vendors.bots.set(SLACK.token, { id: "T1:U1", name: "acme" });
  const slack = await connect(SLACK);
  expect((await opened(slack.id)).secrets).toEqual({ botToken: SLACK.token });
  const doors = await query("select kind, secret_names from tenantry.doors");
  expect(doors).toEqual([{ kind: "slack", secret_names: ["signingSecret"] }]);
  expect(slack.steps.join(" ")).toContain("Request URL");
  const other = await refusedConnect({ kind: "whatsapp", token: "t", secret: "s" });
  expect(other.error.details).toHaveProperty("kind");
});

test("leaves nothing behind when the token, the vendor or the plan refuses", async () => {
  const tokens = ["", "x", `${TOKEN.slice(0, 9)}\n${TOKEN.slice(9)}`, `${TOKEN}/../x`, `700:${"x".repeat(5_000)}`];
  for (const token of tokens) {
    const { status, error } = await refusedConnect({ ...body, token });
    expect([token.slice(0, 20), status, Object.keys(error.details as object)]).toEqual([
      token.slice(0, 20),
      400,
      ["token"],
    ]);
    expect(JSON.stringify(error)).not.toContain("AAF");
  }
  expect(vendors.heard).toEqual([]);
  expect((await refusedConnect()).error).toMatchObject({ code: "invalid_request", reason: "channel_token_rejected" });
  vendors.next.push({ status: 200, body: "<html></html>" });
  expect((await refusedConnect()).error.reason).toBe("channel_vendor_response_unknown");
  vendors.next.push({ status: 302, body: {}, headers: { location: `${vendors.url}/elsewhere` } });
  expect((await refusedConnect()).error.reason).toBe("channel_vendor_response_unknown");
  vendors.next.push({ status: 429, body: { parameters: { retry_after: 3 } } });
  expect((await refusedConnect()).status).toBe(429);
  expect(vendors.heard).not.toContain("GET /elsewhere");
  expect(await counts()).toEqual(NOTHING);
  expect(api.logs.join()).not.toContain("AAF");

  telegramBot();
  for (const name of ["one", "two"]) {
    const door = { kind: "bearer", name };
    await api.call(doorRoutes.createDoor, { as: "north", params: { instance_id: hooli }, body: door });
  }
  const before = await counts();
  expect((await refusedConnect(body, hooli)).error.reason).toBe("door_limit_reached");
  expect(await counts()).toEqual(before);
});

test("connects a bot to an instance that is frozen meanwhile, and to none that is deleted", async () => {
  telegramBot();
  const { db } = api.database;
  const values = { slug: "brief", partner_id: api.partners.north, billing_plan: "basic" };
  const brief = await insertInstance(db, await insertClient(db, values));
  const freeze = "update tenantry.instances set status = 'frozen' where id = $1";
  vendors.next.push(async () => void (await query(freeze, brief)));
  const { id } = await connect(body, brief);
  vendors.next.push(async () => void (await query("delete from tenantry.instances where id = $1", brief)));
  const token = { as: "north" as const, params: { id }, body: { token: TOKEN } };
  expect((await api.refused(channelRoutes.replaceChannelToken, token)).status).toBe(404);
  expect(await counts()).toMatchObject({ channels: 0, doors: 0 });
  const again = await insertInstance(db, (await query("select id from tenantry.clients where slug = 'brief'"))[0].id);
  vendors.next.push(async () => void (await query("delete from tenantry.instances where id = $1", again)));
  expect((await refusedConnect(body, again)).error.reason).toBe("instance_not_found");
  expect(await counts()).toMatchObject({ channels: 0, doors: 0 });
});

test("names the door of a channel differently when its name is taken, and allows one channel of a kind", async () => {
  telegramBot();
  const taken = { kind: "bearer", name: "telegram" };
  await api.call(doorRoutes.createDoor, { as: "north", params: { instance_id: acme }, body: taken });
  await connect();
  expect((await query("select name from tenantry.doors where kind = 'telegram'"))[0].name).toBe("telegram-2");
  vendors.bots.set("800:another_bot_of_the_owner_12345", { id: "800", name: "other" });
  const second = await refusedConnect({ ...body, token: "800:another_bot_of_the_owner_12345" });
  expect([second.status, second.error.reason]).toEqual([409, "channel_kind_exists"]);
});

test("does not connect a bot twice, and does not disclose a tenant of another partner", async () => {
  telegramBot();
  await connect();
  for (const move of [false, true]) {
    const { status, error } = await refusedConnect({ ...body, move }, umbrella, "south");
    expect([status, error.reason]).toEqual([409, "channel_account_in_use"]);
    expect(JSON.stringify(error)).not.toMatch(/acme|hooli|north/);
  }
  expect((await refusedConnect(body, hooli)).error).toMatchObject({
    reason: "channel_bot_connected",
    message: expect.stringContaining("acme"),
  });
  expect(await pushes()).toEqual(["acme"]);
});

test("moves a bot between a partner's tenants, and sends both their channels", async () => {
  telegramBot();
  const { id, url } = await connect();
  vendors.webhooks.set("700", url);
  const moved = await connect({ ...body, move: true }, hooli);
  expect(moved.id).not.toBe(id);
  expect([await list(), (await list(hooli)).map((one) => one.id)]).toEqual([[], [moved.id]]);
  // Those of one transaction have the same time.
  expect((await pushes()).toSorted()).toEqual(["acme", "acme", "hooli"]);
  // The gateway of the other tenant replaces it.
  expect(vendors.webhooks.get("700")).toBe(url);
});

test("connects a bot once when two tenants connect it at the same time", async () => {
  telegramBot();
  const attempt = (as: As, id: string) => api.fetchAs(as, "POST", `/api/instances/${id}/channels`, body);
  const attempts = await Promise.all([attempt("north", acme), attempt("south", umbrella)]);
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const [{ channels, doors }] = [await counts()];
  expect([channels, doors]).toEqual([1, 1]);
});

test("shows and changes a partner's channels to its own root and to platform roots only", async () => {
  telegramBot();
  const { id } = await connect();
  const hidden = { as: "south" as const, params: { instance_id: acme } };
  expect((await api.refused(channelRoutes.listChannels, hidden)).error.reason).toBe("instance_not_found");
  vendors.heard.length = 0;
  expect((await refusedConnect(body, acme, "south")).error.reason).toBe("instance_not_found");
  const { checkChannel, testChannel, deleteChannel, replaceChannelToken } = channelRoutes;
  for (const route of [checkChannel, testChannel, deleteChannel, replaceChannelToken]) {
    const refused = await api.refused(route, { as: "south", params: { id }, body: { token: OTHER } });
    expect(refused.error.reason).toBe("channel_not_found");
  }
  expect(vendors.heard).toEqual([]);
  expect((await list(acme, "root")).map((one) => one.id)).toEqual([id]);
});

test("replaces a token by another one of the same bot only", async () => {
  telegramBot();
  const { id } = await connect();
  const before = await opened(id);
  await setPushed();
  telegramBot(OTHER, "800");
  const replace = { as: "north" as const, params: { id }, body: { token: OTHER }, headers: { "if-match": '"1"' } };
  const refused = await api.refused(channelRoutes.replaceChannelToken, replace);
  expect([refused.status, refused.error.reason]).toEqual([409, "channel_token_of_other_bot"]);
  telegramBot(OTHER);
  const { body: replaced } = await api.call(channelRoutes.replaceChannelToken, replace);
  expect(replaced).toMatchObject({ state: "pushing", version: 2, token_replaced_at: expect.any(String) });
  expect(await opened(id)).toEqual({ ...before, secrets: { ...before.secrets, botToken: OTHER } });
  expect(await pushes()).toEqual(["acme", "acme"]);
  expect((await api.refused(channelRoutes.replaceChannelToken, replace)).status).toBe(412);
  const actions = await query("select action from tenantry.audit_log where entity_id = $1 order by id", id);
  expect(actions.map(({ action }) => action)).toEqual(["insert", "update"]);
  const invalid = { ...replace, headers: {}, body: { token: OTHER, secret: "mine" } };
  expect((await api.refused(channelRoutes.replaceChannelToken, invalid)).error.details).toHaveProperty("secret");
});

test("checks a token: records one that was revoked, and sends the tenant its channels again for a valid one", async () => {
  telegramBot();
  const { id } = await connect();
  await setPushed();
  const check = async () => (await api.call(channelRoutes.checkChannel, { as: "north", params: { id } })).body;
  vendors.bots.clear();
  const rejected = "Telegram rejects the token";
  expect(await check()).toMatchObject({ state: "token_rejected", last_error: expect.stringContaining(rejected) });
  telegramBot();
  expect(await check()).toMatchObject({ state: "waiting_for_first_message", last_error: null, version: 1 });
  expect(await pushes()).toEqual(["acme", "acme"]);
  vendors.next.push({ status: 502, body: {} });
  const away = await api.refused(channelRoutes.checkChannel, { as: "north", params: { id } });
  expect(away.error.reason).toBe("channel_vendor_response_unknown");
  expect((await list())[0]?.state).toBe("waiting_for_first_message");
});

test("tests a channel: says where its webhooks go and what to do until the gateway accepts a message", async () => {
  telegramBot();
  const { id, url, door_id } = await connect();
  const run = async () => (await api.call(channelRoutes.testChannel, { as: "north", params: { id } })).body;
  expect(await run()).toMatchObject({
    ...{ webhook: { registration: "none" }, message: "none" },
    steps: [expect.stringContaining("Wait until the tenant has received the channel")],
  });
  await setPushed();
  expect((await run()).steps).toEqual([expect.stringContaining("Restart the gateway")]);
  vendors.webhooks.set("700", url);
  expect(await run()).toMatchObject({
    ...{ channel: { state: "waiting_for_first_message" }, webhook: { registration: "registered" } },
    steps: ["Send /start to @acme_bot in Telegram."],
  });
  await query("update tenantry.doors set last_used_at = now()");
  const at = "2026-11-03T07:20:00.000Z";
  const message = {
    ...{ id: door_id, door: door_id, kind: "telegram", name: "telegram", eventId: "1", conversation: null },
    ...{ bytes: 3, attempts: 1, receivedAt: at, changedAt: at },
  };
  expect((await run()).message).toBe("none");
  messages = [
    { ...message, door: id, state: "accepted" },
    { ...message, state: "queued" },
  ];
  expect(await run()).toMatchObject({ message: "queued", channel: { state: "waiting_for_first_message" } });
  messages = [{ ...message, state: "accepted" }];
  expect(await run()).toMatchObject({ message: "accepted", steps: [], channel: { state: "connected" } });
  // The inbox forgets the message.
  messages = [];
  expect(await run()).toMatchObject({ message: "accepted", channel: { state: "connected" } });
  vendors.bots.clear();
  const revoked = await api.refused(channelRoutes.testChannel, { as: "north", params: { id } });
  expect(revoked.error.reason).toBe("channel_token_rejected");
});

test("deletes a channel with its door and its webhook, and says what remains when the vendor does not help", async () => {
  const remove = async (id: string) =>
    (await api.call(channelRoutes.deleteChannel, { as: "north", params: { id } })).body.remaining;
  telegramBot();
  const first = await connect();
  vendors.webhooks.set("700", first.url);
  expect(await remove(first.id)).toEqual([]);
  expect([vendors.webhooks.size, (await counts()).doors, await pushes()]).toEqual([0, 0, ["acme", "acme"]]);
  const second = await connect();
  vendors.next.push({ status: 500, body: {} });
  expect(await remove(second.id)).toEqual([expect.stringContaining("@acme_bot")]);
  const third = await connect();
  await query("update tenantry.channels set credentials = set_byte(credentials, 40, get_byte(credentials, 40) # 1)");
  const unreadable = await api.refused(channelRoutes.checkChannel, { as: "north", params: { id: third.id } });
  expect(unreadable.error.reason).toBe("channel_credentials_unreadable");
  expect(await remove(third.id)).toHaveLength(1);
  expect(await counts()).toMatchObject({ channels: 0, doors: 0 });
});

test("protects the door of a channel, which ends with its instance", async () => {
  telegramBot();
  const { door_id } = await connect({ ...body }, umbrella, "south");
  const at = { as: "south" as const, params: { id: door_id } };
  expect((await api.refused(doorRoutes.deleteDoor, at)).error.reason).toBe("door_of_channel");
  for (const what of ["key", "secrets"]) {
    expect((await api.refused(doorRoutes.rotateDoor, { ...at, body: { what } })).error.reason).toBe("channel_of_door");
  }
  await query("delete from tenantry.instances where id = $1", umbrella);
  expect(await counts()).toMatchObject({ channels: 0, doors: 0 });
});
