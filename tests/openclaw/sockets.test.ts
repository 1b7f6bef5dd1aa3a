/**
 * Socket channels with the real OpenClaw, connected by the API: an IRC server and a Matrix homeserver, with real clients, and stand-ins of Slack and Discord.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Automation } from "#local/start/automation.ts";
import { instanceHealth } from "#workers/contracts/api/instances/instance-health.ts";
import { createdChannel } from "#workers/contracts/api/tenants/channels.ts";
import { startAutomation } from "./testing/automation-of.ts";
import { openTls, type TlsFront } from "./testing/client-machine.ts";
import { filesWith } from "./testing/container-files.ts";
import { callDashboard, instanceId } from "./testing/dashboard.ts";
import { DiscordApi } from "./testing/discord/discord-api.ts";
import { ADA, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS } from "./testing/page.ts";
import { SlackApi } from "./testing/slack/slack-api.ts";
import { type IrcPerson, IrcServer } from "./testing/sockets/irc.ts";
import { Homeserver, type MatrixUser } from "./testing/sockets/matrix.ts";

const { TENANTRY_OPENCLAW: PROGRAM, TENANTRY_CHAT_IRC: IRC, TENANTRY_CHAT_MATRIX: MATRIX } = process.env;
const MATRIX_HOST = "matrix.vendor.test";
const DISCORD_HOST = "discord.vendor.test";
const IRC_HOST = "irc.vendor.test";
const PASSWORD = "the-password-of-the-irc-server";
const SLACK_PERSON = "U0ADA00001";
/** Those that docs/how-to/connect-a-channel.md names. */
const SLACK_APP = {
  token: "xoxb-1-2-the-token-of-the-bot",
  appToken: "xapp-1-A0ACME0001-1-the-token-of-the-app",
  scopes: ["chat:write", "im:history", "app_mentions:read", "users:read"],
};
const DISCORD_PERSON = "80351110224678912";
const DISCORD_APPLICATION = "172150183260323840";
const DISCORD_APP = {
  token: `${Buffer.from(DISCORD_APPLICATION).toString("base64url")}.G_the1.the-secret-part-of-the-token-of-the-bot`,
  applicationId: DISCORD_APPLICATION,
  botId: DISCORD_APPLICATION,
  // GATEWAY_MESSAGE_CONTENT_LIMITED, as docs/how-to/connect-a-channel.md says.
  flags: 1 << 19,
};
const ANSWER = "This is a mock of openai";
/** A start on a busy machine takes minutes. */
const WAIT = { timeout: 3 * PATIENCE_MS, interval: 500 };

let directory: string;
let tenant: LiveTenant;
let service: Automation;
let instance: string;
let irc: IrcServer;
let ada: IrcPerson;
let matrix: Homeserver;
const vendors: TlsFront[] = [];
let bot: MatrixUser;
let slack: SlackApi;
let discord: DiscordApi;

const ask = (method: string, path: string, body?: object) => callDashboard(tenant, method, path, body);

async function connect(body: object): Promise<z.infer<typeof createdChannel>> {
  const answer = await ask("POST", `/api/instances/${instance}/channels`, body);
  expect(answer).toMatchObject({ status: 201 });
  return createdChannel.parse(JSON.parse(answer.body));
}

const sandbox = async () =>
  instanceHealth.parse(JSON.parse((await ask("GET", `/client/instance/${instance}/health`)).body)).sandbox;

/** Returns the conditions of socket channels by messenger. */
const conditions = async () =>
  Object.fromEntries(((await sandbox())?.channels ?? []).map((one) => [one.messenger, one.condition]));

const answeredInIrc = (count: number) => expect.poll(() => ada.received("claw").length, WAIT).toBe(count);

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-sockets-"));
    if (IRC !== undefined) irc = await IrcServer.open(IRC, join(directory, "irc"), PASSWORD);
    if (MATRIX !== undefined) matrix = await Homeserver.open(MATRIX, join(directory, "matrix"));
    slack = await SlackApi.open(SLACK_APP);
    slack.workspace.addPerson(SLACK_PERSON, "Ada");
    discord = await DiscordApi.open(DISCORD_APP);
    discord.messages.addPerson(DISCORD_PERSON, "ada");
    slack.host = "slack.vendor.test";
    // OpenClaw requires TLS of both outside loopback.
    const secured = async (host: string, url: string) =>
      vendors.push(await openTls(directory, host, Number(new URL(url).port)));
    if (MATRIX !== undefined) await secured(MATRIX_HOST, matrix.url);
    await secured(DISCORD_HOST, discord.url);
    discord.origin = `https://${DISCORD_HOST}`;
    const apis = { slack: slack.url, discord: discord.url };
    const internet = IRC === undefined ? {} : { [`${IRC_HOST}:${irc.port}`]: `127.0.0.1:${irc.port}` };
    tenant = await LiveTenant.open(PROGRAM ?? "", directory, [], { apis, internet, vendors });
    service = await startAutomation(tenant);
    instance = await instanceId(tenant);
    const open = { dmPolicy: "open", allowFrom: ["*"] };
    const { page, context } = await tenant.enter(ADA);
    await tenant.configure(page, {
      channels: {
        irc: open,
        slack: open,
        discord: open,
        matrix: { autoJoin: "always", dm: { policy: "open", allowFrom: ["*"] } },
      },
    });
    await context.close();
  });
  afterAll(async () => {
    await service?.stop();
    irc?.close();
    matrix?.close();
    for (const vendor of vendors) vendor.close();
    slack?.close();
    discord?.close();
    await tenant?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test.skipIf(IRC === undefined)("answers a person on an IRC server", async () => {
    const server = `irc://${IRC_HOST}:${irc.port}`;
    await connect({ kind: "irc", server, nick: "claw", password: PASSWORD });
    await expect.poll(conditions, WAIT).toMatchObject({ irc: "online" });
    ada = await irc.connect("ada", PASSWORD);
    ada.write("claw", "Hello");
    await answeredInIrc(1);
    expect(ada.received("claw")[0]).toContain(ANSWER);
    expect(filesWith(tenant, PASSWORD)).toEqual([]);
  });

  test.skipIf(MATRIX === undefined)("answers a person in a Matrix room, and refuses a wrong token", async () => {
    bot = await matrix.register("claw");
    const person = await matrix.register("ada");
    const values = { kind: "matrix", homeserver: `https://${MATRIX_HOST}` };
    const wrong = await ask("POST", `/api/instances/${instance}/channels`, { ...values, token: `${bot.token}x` });
    expect(JSON.parse(wrong.body)).toMatchObject({ error: { reason: "channel_token_rejected" } });
    const channel = await connect({ ...values, token: bot.token });
    expect(channel.account).toEqual({ id: bot.id, name: bot.id });
    await expect.poll(conditions, WAIT).toMatchObject({ matrix: "online" });
    expect(await matrix.converse(person, bot.id, "Hello")).toContain(ANSWER);
    // OpenClaw's plug-in stores it in its own database, always: docs/decisions.md.
    expect(filesWith(tenant, bot.token).filter((path) => !path.includes("/state/openclaw.sqlite"))).toEqual([]);
  });

  test("answers a person in Slack by Socket Mode, also after Slack has ended the connection", async () => {
    const { token, appToken } = SLACK_APP;
    const values = { kind: "slack-socket", token, app_token: appToken };
    const wrong = await ask("POST", `/api/instances/${instance}/channels`, { ...values, app_token: `${appToken}x` });
    expect(JSON.parse(wrong.body)).toMatchObject({ error: { reason: "channel_token_rejected" } });
    await connect(values);
    await expect.poll(conditions, WAIT).toMatchObject({ slack: "online" });
    for (const text of ["Hello", "Are you there?"]) {
      await expect.poll(() => slack.socketMode.connections, WAIT).toBe(1);
      const { length } = slack.workspace.sent;
      expect(await slack.socketMode.send(slack.workspace.write(SLACK_PERSON, text))).toBe(true);
      await expect.poll(() => slack.workspace.sent.length, WAIT).toBe(length + 1);
      expect(slack.workspace.sent.at(-1)?.text).toContain(ANSWER);
      slack.socketMode.refresh();
    }
    expect([[...slack.unknown], [...slack.refused], slack.socketMode.unexpected]).toEqual([[], [], []]);
    for (const secret of [token, appToken]) expect(filesWith(tenant, secret)).toEqual([]);
  });

  test("answers a person in Discord, also after the bot has reconnected, and refuses a wrong token", async () => {
    const { token } = DISCORD_APP;
    const path = `/api/instances/${instance}/channels`;
    const wrong = await ask("POST", path, { kind: "discord", token: `${token}x` });
    expect(JSON.parse(wrong.body)).toMatchObject({ error: { reason: "channel_token_rejected" } });
    await connect({ kind: "discord", token });
    await expect.poll(conditions, WAIT).toMatchObject({ discord: "online" });
    expect(discord.gateway.handshakes).toEqual({ identified: 1, resumed: 0 });
    const { sent } = discord.messages;
    for (const text of ["Hello", "Are you there?"]) {
      const { length } = sent;
      expect(discord.write(DISCORD_PERSON, text)).toBe(true);
      await expect.poll(() => sent.length, WAIT).toBe(length + 1);
      await expect.poll(() => sent.at(-1)?.content, WAIT).toContain(ANSWER);
      if (length === 0) discord.gateway.reconnect();
    }
    await expect.poll(() => discord.gateway.handshakes, WAIT).toEqual({ identified: 1, resumed: 1 });
    expect([[...discord.unknown], [...discord.refused]]).toEqual([[], []]);
    expect(filesWith(tenant, token)).toEqual([]);
  });

  test("stays awake for connected channels on a plan that allows it", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "5" });
    await tenant.running();
    const keptAwake = async () => (await sandbox())?.sleep?.kept_awake?.reason;
    await expect.poll(keptAwake, WAIT).toBe("channels");
    const { channels } = (await sandbox()) ?? {};
    expect(channels?.map(({ condition, keeps_awake }) => [condition, keeps_awake])).toEqual(
      (channels ?? []).map(() => ["online", true]),
    );
    expect(tenant.gateways()).toHaveLength(1);
  });

  test("is offline while asleep with the terms of another plan, and online again when awake", async () => {
    // A change of the plan changes these variables of the tenant's Worker.
    tenant.bind({ SLEEP_AFTER_SECONDS: "5", SLEEP_WITH_CHANNELS: "1" });
    await tenant.running();
    // The processes end before the container does.
    const states = async () => new Set(Object.values(await conditions()));
    await expect.poll(states, WAIT).toEqual(new Set(["offline_while_asleep"]));
    expect(tenant.gateways()).toEqual([]);
    const { channels, sleep } = (await sandbox()) ?? {};
    expect(sleep?.with_channels).toBe(true);
    const offline = { condition: "offline_while_asleep", keeps_awake: false, reason: expect.stringContaining("plan") };
    expect(channels?.length).toBeGreaterThan(0);
    for (const channel of channels ?? []) expect(channel).toMatchObject(offline);
    tenant.bind({ SLEEP_AFTER_SECONDS: "600" });
    await tenant.running();
    await expect.poll(states, WAIT).toEqual(new Set(["online"]));
    if (IRC === undefined) return;
    ada.write("claw", "Good morning");
    await answeredInIrc(2);
  });
});
