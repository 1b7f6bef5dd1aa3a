/**
 * Slack and LINE with the real OpenClaw: bots that are connected by the API, and the vendors' events to their doors. No stand-in answers for Google
 * Chat and Teams: only their endpoints are tested.
 */
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspacesOf } from "@tenantry/edge/testing/runtime";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Automation } from "#local/start/automation.ts";
import { channelRoutes, channelTest, createdChannel } from "#workers/contracts/api/tenants/channels.ts";
import type { Channel } from "#workers/contracts/tenant/channels.ts";
import { DURABLE_HEADER, DURABLE_VALUE } from "#workers/contracts/tenant/inbox.ts";
import { deliveryKey } from "#workers/tenant/container/openclaw/deliveries/secrets.mjs";
import { call } from "../testing/http.ts";
import { startAutomation } from "./testing/automation-of.ts";
import { openTls, type TlsFront } from "./testing/client-machine.ts";
import { filesWith } from "./testing/container-files.ts";
import { callDashboard, connect, instanceId, restarting } from "./testing/dashboard.ts";
import { LineApi } from "./testing/line/line-api.ts";
import { ADA, LiveTenant } from "./testing/live-tenant.ts";
import { PATIENCE_MS } from "./testing/page.ts";
import { SlackApi } from "./testing/slack/slack-api.ts";
import { type EventRequest, type EventResponse, SlackEvents } from "./testing/slack/slack-events.ts";

const PROGRAM = process.env.TENANTRY_OPENCLAW;
const PERSON = "U0ADA00001";
const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
/** Those that docs/how-to/connect-a-channel.md names. */
const APP = {
  token: "xoxb-1-2-the-token-of-the-bot",
  scopes: ["chat:write", "im:history", "app_mentions:read", "users:read"],
};
const LINE = {
  token: "the-channel-access-token-of-a-channel-of-LINE=",
  secret: "8c570fa6dd201bb328f1c1eac23a96d8",
  botId: "U0b07000000000000000000000000000b",
};
const LINE_PERSON = "U4af4980629000000000000000000ada0";
const ANSWER = expect.stringContaining("This is a mock of openai");
const HOOKS = "hooks.tenantry.localhost";

let directory: string;
let slack: SlackApi;
let line: LineApi;
let tls: TlsFront;
let tenant: LiveTenant;
let service: Automation;
let channel: z.infer<typeof createdChannel>;
let events: SlackEvents;
/** How many of the next responses Slack does not receive. */
let lost = 0;

const ask = (method: string, path: string, body?: object) => callDashboard(tenant, method, path, body);

/** Sends a request of Slack to the door. */
async function post({ headers, body }: EventRequest): Promise<EventResponse> {
  const { pathname } = new URL(channel.url ?? "");
  const answer = await call(tenant.edge, HOOKS, pathname, { method: "POST", headers, body });
  if (lost > 0) {
    lost -= 1;
    throw new Error("the connection broke");
  }
  return { status: answer.status, body: answer.body, headers: new Headers(answer.headers as Record<string, string>) };
}

const say = (text: string) => events.send(slack.workspace.write(PERSON, text));
const answered = (count: number) =>
  expect.poll(() => slack.workspace.sent.length, { timeout: 2 * PATIENCE_MS, interval: 200 }).toBe(count);

/** Returns the channels in the configuration of each container. */
function configurations(): unknown[] {
  return workspacesOf(join(tenant.edge.directory, "containers")).map(
    (workspace) => JSON.parse(readFileSync(join(workspace, "state/openclaw.json"), "utf8")).channels,
  );
}

describe.skipIf(PROGRAM === undefined)("OpenClaw", () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "openclaw-slack-"));
    slack = await SlackApi.open(APP);
    slack.workspace.addPerson(PERSON, "Ada");
    events = new SlackEvents({ signingSecret: SIGNING_SECRET, post });
    line = await LineApi.open(LINE);
    line.addPerson(LINE_PERSON, "Ada");
    tls = await openTls(directory, "api.line.me", Number(new URL(line.url).port));
    slack.host = "slack.vendor.test";
    line.host = "line.vendor.test";
    const apis = { slack: slack.url, line: line.url };
    tenant = await LiveTenant.open(PROGRAM ?? "", directory, [], { apis, vendors: [tls] });
    service = await startAutomation(tenant);
  });
  afterAll(async () => {
    await service?.stop();
    slack?.close();
    line?.close();
    tls?.close();
    await tenant?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test("connects a Slack bot by the API, and refuses another token", async () => {
    const { page, context } = await tenant.enter(ADA);
    await tenant.configure(page, { channels: { slack: { dmPolicy: "open", allowFrom: ["*"] } } });
    await context.close();
    const path = `/api/instances/${await instanceId(tenant)}/channels`;
    const bot = { kind: "slack", token: APP.token, secret: SIGNING_SECRET };
    expect(await ask("POST", path, { ...bot, token: `${APP.token}x` })).toMatchObject({ status: 400 });
    const created = await restarting(tenant, () => ask("POST", path, bot));
    expect(created).toMatchObject({ status: 201 });
    channel = createdChannel.parse(JSON.parse(created.body));
    // Slack verifies the URL when the owner enters it.
    expect(await events.verifiesUrl()).toBe(true);
    const state = async () => {
      const { data } = channelRoutes.listChannels.answer.parse(JSON.parse((await ask("GET", path)).body));
      return data.map((one) => one.state);
    };
    await expect.poll(state, { timeout: PATIENCE_MS, interval: 200 }).toEqual(["waiting_for_first_message"]);
  });

  test("answers a direct message once, also when Slack repeats the event", async () => {
    const forged = new SlackEvents({ signingSecret: "another", post });
    const hello = slack.workspace.write(PERSON, "Hello");
    expect(await post({ headers: {}, body: JSON.stringify(hello) })).toMatchObject({ status: 404 });
    expect(await forged.verifiesUrl()).toBe(false);
    lost = 1;
    const attempts = await events.send(hello);
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts.at(-1)).toEqual({ status: 200 });
    await answered(1);
    expect((await say("Are you there?")).at(-1)).toEqual({ status: 200 });
    await answered(2);
    expect(slack.workspace.sent.map(({ text }) => text)).toEqual([ANSWER, ANSWER]);
    expect([...slack.unknown]).toEqual([]);
    expect([...slack.refused]).toEqual([]);
    for (const secret of [APP.token, SIGNING_SECRET]) expect(filesWith(tenant, secret)).toEqual([]);
    const tested = await ask("POST", `/api/channels/${channel.id}/test`);
    expect(channelTest.parse(JSON.parse(tested.body))).toMatchObject({
      message: "accepted",
      channel: { state: "connected" },
    });
  });

  test("sleeps with the bot connected, and wakes for a message, which is answered", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "5" });
    await tenant.running();
    await expect.poll(() => tenant.gateways().length, { timeout: PATIENCE_MS, interval: 500 }).toBe(0);
    expect((await say("Good morning")).at(-1)).toEqual({ status: 200 });
    await answered(3);
  });

  test("disconnects the bot", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "600" });
    await tenant.running();
    const deleted = await restarting(tenant, () => ask("DELETE", `/api/channels/${channel.id}`));
    expect(JSON.parse(deleted.body)).toEqual({ remaining: [expect.stringContaining("Event Subscriptions")] });
    expect((await post({ headers: {}, body: "{}" })).status).toBe(404);
    expect(configurations()).toEqual([expect.objectContaining({ slack: { dmPolicy: "open", allowFrom: ["*"] } })]);
  });

  test("answers messages of LINE while awake and while asleep", async () => {
    tenant.bind({ SLEEP_AFTER_SECONDS: "600" });
    const { page, context } = await tenant.enter(ADA);
    await tenant.configure(page, { channels: { line: { dmPolicy: "open", allowFrom: ["*"] } } });
    await context.close();
    const path = `/api/instances/${await instanceId(tenant)}/channels`;
    const bot = { kind: "line", token: LINE.token, secret: LINE.secret };
    const wrong = await ask("POST", path, { ...bot, token: `x${LINE.token}` });
    expect(JSON.parse(wrong.body)).toMatchObject({ error: { reason: "channel_token_rejected" } });
    const created = await restarting(tenant, () => ask("POST", path, bot));
    expect(created).toMatchObject({ status: 201 });
    const { id, url } = createdChannel.parse(JSON.parse(created.body));
    line.endpoint = url ?? "";
    const tell = async (text: string, more: Record<string, string> = {}) => {
      const { headers, body } = line.write(LINE_PERSON, text);
      const { pathname } = new URL(url ?? "");
      return call(tenant.edge, HOOKS, pathname, { method: "POST", headers: { ...headers, ...more }, body });
    };
    const soon = { timeout: 2 * PATIENCE_MS, interval: 200 };
    expect((await tell("Forged", { "x-line-signature": "AAAA" })).status).toBe(404);
    expect((await tell("Hello")).status).toBe(200);
    await expect.poll(() => line.sent.length, soon).toBe(1);
    tenant.bind({ SLEEP_AFTER_SECONDS: "5" });
    await tenant.running();
    await expect.poll(() => tenant.gateways().length, soon).toBe(0);
    expect((await tell("Good morning")).status).toBe(200);
    await expect.poll(() => line.sent.length, soon).toBe(2);
    expect(line.sent.map(({ to, text }) => [to, text])).toEqual([0, 1].map(() => [LINE_PERSON, ANSWER]));
    // OpenClaw asks for the Webhook URL before it is entered. A start that takes a minute outlasts the reply token, and OpenClaw pushes the answer.
    const refused = line.refused.filter((one) => !/Webhook endpoint not found|Invalid reply token$/.test(one));
    expect([[...line.unknown], refused]).toEqual([[], []]);
    for (const secret of [LINE.token, LINE.secret]) expect(filesWith(tenant, secret)).toEqual([]);
    tenant.bind({ SLEEP_AFTER_SECONDS: "600" });
    await tenant.running();
    await restarting(tenant, () => ask("DELETE", `/api/channels/${id}`));
  });

  test("takes LINE's messages, and refuses what Google and Microsoft have not signed", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const private_key = privateKey.export({ type: "pkcs8", format: "pem" });
    const serviceAccount = JSON.stringify({ type: "service_account", client_email: "bot@acme.example", private_key });
    const common = { url: "https://hooks.example.com/0123456789abcdefghijklmn" };
    const channels: Channel[] = [
      { kind: "line", ...common, secrets: { channelAccessToken: "the-line-token" } },
      { kind: "googlechat", ...common, secrets: { serviceAccount }, settings: { audience: "123456789012" } },
      {
        kind: "msteams",
        ...common,
        secrets: { appPassword: "the-client-secret" },
        settings: { appId: randomUUID(), tenantId: randomUUID() },
      },
    ];
    await connect(tenant, channels);

    const deliver = async (path: string, body: string, more: Record<string, string>) =>
      fetch(`${await tenant.ownUrl()}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...more },
        body,
      });
    const message = { type: "text", id: "1", quoteToken: "q", text: "Hello" };
    const event = { type: "message", mode: "active", timestamp: Date.now(), webhookEventId: "01H", replyToken: "r" };
    const body = JSON.stringify({
      destination: "U1",
      events: [{ ...event, deliveryContext: { isRedelivery: false }, source: { type: "user", userId: "U2" }, message }],
    });
    const key = deliveryKey(tenant.binding("GATEWAY_TOKEN"));
    const signed = { "x-line-signature": createHmac("sha256", key).update(body).digest("base64") };
    const forged = {
      authorization: `Bearer ${await new SignJWT({}).setProtectedHeader({ alg: "RS256" }).sign(privateKey)}`,
    };
    // Channels start after the gateway, which is what the inbox repeats for.
    const first = async (path: string, headers: Record<string, string>) => {
      const { status, headers: given } = await deliver(path, body, headers);
      return [status, given.get(DURABLE_HEADER)];
    };
    const soon = { timeout: PATIENCE_MS, interval: 1_000 };
    await expect.poll(() => first("/line/webhook", signed), soon).toEqual([200, DURABLE_VALUE]);
    await expect.poll(() => first("/googlechat", forged), soon).toEqual([401, null]);
    await expect.poll(() => first("/api/messages", forged), soon).toEqual([401, null]);
    const [, keyLine = ""] = String(private_key).split("\n");
    for (const secret of ["the-line-token", keyLine, "the-client-secret"])
      expect(filesWith(tenant, secret)).toEqual([]);
  });
});
