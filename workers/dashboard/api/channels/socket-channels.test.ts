/** Socket channels in the API, lost connections to the database, and orders of the automation service, with stand-ins of the vendors and of the dispatch Worker. */
import { createServer } from "node:http";
import { closeAndCut, listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { CHECK_CHANNELS_PATH, STOP_CHANNELS_PATH } from "#workers/contracts/channel-vendors.ts";
import { openChannel } from "#workers/shared/doors/channel-credentials.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { DOORS_KEY, LIVE_TOKEN } from "../../testing/start-dashboard.ts";
import { startVendorApis, type VendorApis } from "../../testing/vendor-apis.ts";

const SLACK = { kind: "slack", token: "xoxb-1-2-secret-of-the-bot", secret: "signing-secret" };

/** Of the tenant. */
let status: object = {};
const dispatch = createServer((_, response) => response.end(JSON.stringify(status)));
let api: ApiUnderTest;
let vendors: VendorApis;
let acme: string;
let hooli: string;
beforeAll(async () => {
  vendors = await startVendorApis();
  const { url } = vendors;
  api = await startApi({
    DISPATCH_URL: `http://127.0.0.1:${await listen(dispatch, { port: 0 })}`,
    INVALIDATE_TOKEN: "token",
    CHANNEL_APIS: JSON.stringify({ slack: url, matrix: url, telegram: url }),
  });
  const tenant = async (slug: string) => {
    const client = { slug, partner_id: api.partners.north, billing_plan: "free" };
    return insertInstance(api.database.db, await insertClient(api.database.db, client));
  };
  acme = await tenant("acme");
  hooli = await tenant("hooli");
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([vendors?.stop(), closeAndCut(dispatch)]);
});

const connect = async (body: object) =>
  (await api.call(channelRoutes.createChannel, { as: "north", params: { instance_id: acme }, body })).body;
const refused = (body: object, instance_id = acme) =>
  api.refused(channelRoutes.createChannel, { as: "north", params: { instance_id }, body });
const query = async (text: string, ...values: unknown[]) => (await api.database.pool.query(text, values)).rows;
const opened = async (id: string) => {
  const [row] = await query("select credentials from tenantry.channels where id = $1", id);
  return openChannel({ used: DOORS_KEY }, id, row.credentials);
};
const list = async () =>
  (await api.call(channelRoutes.listChannels, { as: "north", params: { instance_id: acme } })).body.data;

test("connects socket channels without a door, one of a messenger, and says whether they are online", async () => {
  const irc = { kind: "irc", server: "irc://irc.example.org", nick: "Claw", channels: "#acme", password: "sesame" };
  const created = await connect(irc);
  expect(created).toMatchObject({ transport: "socket", door_id: null, url: null, state: "pushing" });
  const settings = { server: irc.server, nick: irc.nick, channels: irc.channels };
  expect(await opened(created.id)).toEqual({ kind: "irc", secrets: { password: irc.password }, settings });
  expect(await query("select slug from tenantry.jobs where kind = 'push_channels'")).toEqual([{ slug: "acme" }]);
  const tables = ["channels", "audit_log", "events", "jobs", "idempotency_keys"];
  const stored = await Promise.all(tables.map((table) => query(`select t::text from tenantry.${table} t`)));
  expect(JSON.stringify([stored, api.logs])).not.toContain(irc.password);
  const same = await refused({ ...irc, server: "irc://IRC.example.org" }, hooli);
  expect(same.error.reason).toBe("channel_bot_connected");

  const homeserver = "https://matrix.example.org";
  const matrix = { kind: "matrix", homeserver, token: "syt_secret_of_the_bot" };
  expect((await refused(matrix)).error.reason).toBe("channel_token_rejected");
  vendors.bots.set(matrix.token, { id: "@acme:example.org", name: "acme" });
  const { id } = await connect(matrix);
  const secrets = { accessToken: matrix.token };
  expect(await opened(id)).toEqual({ kind: "matrix", apiRoot: vendors.url, settings: { homeserver }, secrets });

  vendors.bots.set(SLACK.token, { id: "T1:U1", name: "acme" });
  vendors.appTokens.add("xapp-1-A1-secret");
  await connect({ kind: "slack-socket", token: SLACK.token, app_token: "xapp-1-A1-secret" });
  expect((await refused(SLACK)).error.reason).toBe("channel_kind_exists");
  expect((await refused(SLACK, hooli)).error.reason).toBe("channel_bot_connected");

  await query("update tenantry.channels set pushed_at = now()");
  expect((await list()).map(({ kind, state }) => [kind, state])).toEqual([
    ["irc", "sent"],
    ["matrix", "sent"],
    ["slack-socket", "sent"],
  ]);
  const ask = async (socketChannels?: object[], withChannels = true) => {
    status = {
      ts: "2026-11-03T07:20:00.000Z",
      sandbox: "asleep",
      warnings: [],
      socketChannels,
      sleep: { withChannels },
    };
    const { body: answer } = await api.call(channelRoutes.testChannel, { as: "north", params: { id: created.id } });
    return { ...answer.connection, steps: answer.steps.join(" ") };
  };
  const online = { messenger: "irc", account: "default", condition: "online", isOwn: true };
  expect(await ask([online])).toMatchObject({ condition: "online", steps: expect.stringContaining("Claw") });
  const asleep = { ...online, condition: "offline_while_asleep" };
  expect(await ask([asleep])).toMatchObject({
    ...{ condition: "offline_while_asleep", keeps_awake: false, webhook_kind: null },
    steps: expect.stringContaining("plan"),
  });
  expect(await ask([asleep], false)).toMatchObject({ keeps_awake: true, steps: expect.stringContaining("Wake") });
  const failed = { ...online, condition: "failed", error: "nick in use" };
  expect(await ask([failed])).toMatchObject({ reason: "nick in use", steps: expect.stringContaining("nick in use") });
  const error = "channels.irc: invalid config";
  expect(await ask([{ ...failed, error, cause: "configuration_rejected" }])).toMatchObject({
    cause: "configuration_rejected",
    reason: expect.stringContaining(error),
    remedy: expect.stringContaining("openclaw.json"),
    steps: expect.stringMatching(/runs without the channel.*invalid config.*restart the gateway/),
  });
  expect(await ask([{ ...online, isOwn: false }])).toEqual({ steps: expect.stringContaining("Wait") });

  const at = { as: "north" as const, params: { id: created.id } };
  const other = { ...at, body: { nick: "Other" } };
  expect((await api.refused(channelRoutes.replaceChannelToken, other)).error.reason).toBe("channel_token_of_other_bot");
  await api.call(channelRoutes.replaceChannelToken, { ...at, body: { channels: "#help" } });
  expect((await opened(created.id)).settings).toEqual({ ...settings, channels: "#help" });
  expect((await api.refused(channelRoutes.replaceChannelToken, { ...at, body: {} })).status).toBe(400);
  const { remaining } = (await api.call(channelRoutes.deleteChannel, at)).body;
  expect(remaining).toEqual(["Nothing remains on the IRC server."]);
  const [counts] = await query("select count(*)::int, count(door_id)::int as doors from tenantry.channels");
  expect(counts).toEqual({ count: 2, doors: 0 });
});

test("ends webhooks at the vendor for the automation service, whatever the vendor does", async () => {
  await query("delete from tenantry.channels");
  const telegram = { kind: "telegram", token: "700:AAF-secret_of_the_bot_123456789" };
  vendors.bots.set(telegram.token, { id: "700", name: "acme_bot" });
  vendors.bots.set(SLACK.token, { id: "T1:U1", name: "acme" });
  const created: { id: string; url: string | null }[] = [];
  for (const body of [telegram, SLACK]) {
    const at = { as: "north" as const, params: { instance_id: hooli }, body };
    created.push((await api.call(channelRoutes.createChannel, at)).body);
  }
  const [bot, slack] = created;
  const rows = await query("select id, encode(credentials, 'base64') as credentials from tenantry.channels");
  const sealed = rows.map(({ id, credentials }) => ({ id, credentials: credentials.replaceAll("\n", "") }));
  const order = async (body: object = { sealed }, token = LIVE_TOKEN, path = STOP_CHANNELS_PATH) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await api.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  expect((await order({ sealed }, "another-token-of-a-test")).status).toBe(401);
  expect((await order({ channels: [] })).status).toBe(400);

  const elsewhere = "https://hooks.example.com/another-system";
  vendors.webhooks.set("700", elsewhere);
  await order();
  expect(vendors.webhooks.get("700")).toBe(elsewhere);
  vendors.webhooks.set("700", bot?.url ?? "");
  vendors.next.push({ status: 502, body: {} });
  expect(await order()).toEqual({ status: 200, body: { stopped: [] } });
  expect(vendors.webhooks.size).toBe(1);
  expect((await order()).body).toEqual({ stopped: [bot?.id] });
  expect(vendors.webhooks.size).toBe(0);
  const check = async () => (await order({ sealed }, LIVE_TOKEN, CHECK_CHANNELS_PATH)).body;
  const [ofBot, ofSlack] = [
    { id: bot?.id, name: "@acme_bot" },
    { id: slack?.id, name: "@acme (Acme)", registration: "unknown" },
  ];
  for (const [url, registration] of [
    ["", "none"],
    [elsewhere, "elsewhere"],
    [bot?.url ?? "", "registered"],
  ] as const) {
    vendors.webhooks.set("700", url);
    expect(await check()).toEqual({ checked: expect.arrayContaining([{ ...ofBot, registration }, ofSlack]) });
  }
  vendors.bots.delete(telegram.token);
  expect(await check()).toEqual({ checked: expect.arrayContaining([{ ...ofBot, name: null }, ofSlack]) });
  expect((await order()).body).toEqual({ stopped: [] });
  const mixed = sealed.map(({ credentials }) => ({ id: slack?.id, credentials }));
  expect((await order({ sealed: mixed })).body).toEqual({ stopped: [] });
});

test("deletes a channel by a second request when the first ended between the vendor and the commit", async () => {
  await query("delete from tenantry.channels");
  const telegram = { kind: "telegram", token: "700:AAF-secret_of_the_bot_123456789" };
  vendors.bots.set(telegram.token, { id: "700", name: "acme_bot" });
  const { id, url } = await connect(telegram);
  vendors.webhooks.set("700", url ?? "");
  const stored = () => query("select id, fault from tenantry.channels");
  vendors.heard.length = 0;
  vendors.next.push(
    async () => {},
    async () => {
      await query("alter role tenantry_dashboard nologin");
      await query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tenantry_dashboard'");
    },
  );
  const at = { as: "north" as const, params: { id } };
  const ended = await api.refused(channelRoutes.deleteChannel, at);
  await query("alter role tenantry_dashboard login");
  expect([ended.status, ended.error.reason]).toEqual([503, "database_not_available"]);
  expect(vendors.heard).toEqual(["POST /bot/getWebhookInfo", "POST /bot/deleteWebhook"]);
  // The channel remains without a webhook, which the daily check finds (automation/channels/checks.test.ts) and a test of the channel clears.
  expect([vendors.webhooks.size, await stored()]).toEqual([0, [{ id, fault: null }]]);
  await query("update tenantry.channels set fault = 'webhook_lost', last_error = 'x'");
  expect(await list()).toMatchObject([{ id, state: "webhook_lost", last_error: "x" }]);
  await api.call(channelRoutes.checkChannel, at);
  expect(await stored()).toEqual([{ id, fault: "webhook_lost" }]);
  vendors.webhooks.set("700", "https://hooks-staging.example.com/key");
  expect((await api.call(channelRoutes.testChannel, at)).body).toMatchObject({
    ...{ channel: { state: "webhook_lost" }, webhook: { registration: "elsewhere" } },
    steps: [expect.stringContaining("Telegram sends the messages of @acme_bot to another system. Disconnect")],
  });
  vendors.webhooks.set("700", url ?? "");
  await api.call(channelRoutes.testChannel, at);
  expect(await stored()).toEqual([{ id, fault: null }]);
  expect((await api.call(channelRoutes.deleteChannel, at)).body).toEqual({ remaining: [] });
  expect([vendors.webhooks.size, await stored()]).toEqual([0, []]);
});
