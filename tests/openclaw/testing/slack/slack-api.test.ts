/** The stand-in for Slack, with Slack's own client and receiver. */
import { App, AwsLambdaReceiver, SocketModeReceiver, webApi } from "@slack/bolt";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SlackApi } from "./slack-api.ts";
import { type EventRequest, SlackEvents } from "./slack-events.ts";

const TOKEN = "xoxb-1-2-the-token-of-the-bot";
const APP_TOKEN = "xapp-1-A0ACME0001-1-the-token-of-the-app";
const SCOPES = ["chat:write", "im:history", "im:read", "users:read"];
const ADA = "U0ADA00001";
const SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

let slack: SlackApi;
let client: webApi.WebClient;

const clientOf = (token: string | undefined) =>
  new webApi.WebClient(token, {
    slackApiUrl: `${slack.url}/api/`,
    logLevel: webApi.LogLevel.ERROR,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  });

beforeEach(async () => {
  slack = await SlackApi.open({ token: TOKEN, scopes: SCOPES, appToken: APP_TOKEN });
  slack.workspace.addPerson(ADA, "Ada");
  client = clientOf(TOKEN);
});
afterEach(() => slack.close());

/** Returns what a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<object> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof webApi.WebAPIPlatformError)) throw new Error(`the call was not refused: ${error}`);
  return error.data;
}
const wrote = () => slack.workspace.write(ADA, "Hello").event as { channel: string; ts: string };

test("refuses missing and wrong tokens, and methods that do not exist", async () => {
  expect(await client.auth.test()).toMatchObject({ ok: true, user_id: "U0BOT00001", bot_id: "B0BOT00001" });
  expect(await refusal(clientOf(undefined).auth.test())).toMatchObject({ error: "not_authed" });
  expect(await refusal(clientOf(`${TOKEN}x`).auth.test())).toMatchObject({ error: "invalid_auth" });
  expect(await refusal(client.apiCall("auth.tset"))).toMatchObject({
    error: "unknown_method",
    req_method: "auth.tset",
  });
  expect(await refusal(client.apps.connections.open())).toMatchObject({ error: "not_allowed_token_type" });
  // In a query or in JSON, a token is none.
  for (const [query, init] of [
    [`?token=${TOKEN}`, {}],
    ["", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token: TOKEN }) }],
  ] as const)
    expect(await (await fetch(`${slack.url}/api/auth.test${query}`, init)).json()).toMatchObject({
      error: "not_authed",
    });
  expect([...slack.unknown]).toEqual(["auth.tset"]);
  expect(slack.calls).toEqual(["auth.test", "apps.connections.open"]);
});

test("requires scopes and arguments", async () => {
  const { channel } = wrote();
  expect(await refusal(client.reactions.add({ channel, timestamp: "1", name: "eyes" }))).toMatchObject({
    error: "missing_scope",
    needed: "reactions:write",
    provided: SCOPES.join(),
  });
  expect(await refusal(client.conversations.open({ users: ADA }))).toMatchObject({ needed: "im:write" });
  expect(await refusal(client.conversations.list())).toMatchObject({ needed: "channels:read" });
  expect(await client.conversations.list({ types: "im" })).toMatchObject({ channels: [{ id: channel, user: ADA }] });
  const incomplete = { response_metadata: { messages: ["[ERROR] missing required field: user"] } };
  expect(await refusal(client.apiCall("users.info"))).toMatchObject({ error: "invalid_arguments", ...incomplete });
  expect(await refusal(client.users.info({ user: "U1" }))).toMatchObject({ error: "user_not_found" });
  expect(await client.users.info({ user: ADA })).toMatchObject({ user: { id: ADA, name: "Ada", is_bot: false } });
  // A method that reads ignores JSON.
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const asJson = (method: string, body: string) =>
    fetch(`${slack.url}/api/${method}`, { method: "POST", headers, body }).then((response) => response.json());
  expect(await asJson("users.info", JSON.stringify({ user: ADA }))).toMatchObject({ error: "invalid_arguments" });
  expect(await asJson("auth.test", "{")).toMatchObject({ error: "invalid_json" });
  expect(await asJson("auth.test", "[]")).toMatchObject({ error: "json_not_object" });
});

test("refuses a limited method with the time to wait", async () => {
  slack.limited.set("auth.test", 30);
  const error = await client.auth.test().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: webApi.ErrorCode.RateLimitedError, retryAfter: 30 });
  expect(await client.auth.test()).toMatchObject({ ok: true });
});

test("sends messages to known conversations, and changes the bot's own", async () => {
  const post = (channel: string, more: object = { text: "Hi" }) =>
    client.chat.postMessage({ channel, ...more } as never);
  expect(await refusal(post("D0ADA00001"))).toMatchObject({ error: "channel_not_found" });
  const { channel, ts: first } = wrote();
  expect(await refusal(post(channel, {}))).toMatchObject({ error: "no_text" });
  expect(await refusal(post(channel, { text: "Hi", thread_ts: "1.2" }))).toMatchObject({
    error: "cannot_reply_to_message",
  });
  const { ts = "" } = await post(channel);
  await post(ADA, { text: "In the thread", thread_ts: first });
  expect(await client.chat.update({ channel, ts, text: "Hi, Ada" })).toMatchObject({ channel, ts, text: "Hi, Ada" });
  expect(await refusal(client.chat.update({ channel, ts: first, text: "x" }))).toMatchObject({
    error: "cant_update_message",
  });
  expect(await refusal(client.chat.update({ channel, ts: "1.2", text: "x" }))).toMatchObject({
    error: "message_not_found",
  });
  expect(slack.workspace.sent.map(({ text, thread_ts }) => [text, thread_ts])).toEqual([
    ["Hi, Ada", undefined],
    ["In the thread", first],
  ]);
  expect(await client.conversations.history({ channel })).toMatchObject({
    messages: [
      { text: "Hi, Ada", bot_id: "B0BOT00001" },
      { text: "Hello", user: ADA },
    ],
  });
  expect((await client.conversations.replies({ channel, ts: first })).messages).toHaveLength(2);
  await client.chat.delete({ channel, ts });
  expect(slack.workspace.sent).toHaveLength(1);
});

/** An app of Slack's own library. */
async function openApp() {
  const requests: EventRequest[] = [];
  const receiver = new AwsLambdaReceiver({ signingSecret: SIGNING_SECRET, logLevel: webApi.LogLevel.ERROR });
  const clientOptions = { slackApiUrl: `${slack.url}/api/` };
  // A later verification of the token could outlive the test.
  const quiet = { logLevel: webApi.LogLevel.ERROR, tokenVerificationEnabled: false };
  const app = new App({ token: TOKEN, receiver, clientOptions, ...quiet });
  const heard: unknown[] = [];
  app.message(async ({ message, say }) => {
    heard.push("text" in message && message.text);
    await say("Hi");
  });
  const handle = await receiver.start();
  const post = async (request: EventRequest) => {
    requests.push(request);
    const { statusCode, headers, body } = await handle({ ...request, isBase64Encoded: false } as never, {});
    return { status: statusCode, headers: new Headers(headers as Record<string, string>), body };
  };
  return { heard, requests, post };
}

test("signs events and the challenge as Bolt verifies them", async () => {
  const { post, heard, requests } = await openApp();
  const events = new SlackEvents({ signingSecret: SIGNING_SECRET, post });
  expect(await events.verifiesUrl()).toBe(true);
  expect(await events.send(slack.workspace.write(ADA, "Hello"))).toEqual([{ status: 200 }]);
  await vi.waitFor(() => expect(slack.workspace.sent).toMatchObject([{ text: "Hi" }]));
  expect(heard).toEqual(["Hello"]);
  expect(requests.map(({ headers }) => headers["x-slack-retry-num"])).toEqual([undefined, undefined]);
  expect(await new SlackEvents({ signingSecret: "another", post }).verifiesUrl()).toBe(false);
});

test("repeats an event at most three times, within its deadline and delays", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    const sentAt: [number, string | undefined, string | undefined][] = [];
    const begun = Date.now();
    const answers = ["hang", "break", 500, 503] as const;
    const post = ({ headers }: EventRequest): Promise<{ status: number; headers: Headers; body: string }> => {
      const answer = answers[sentAt.length] ?? 200;
      sentAt.push([Date.now() - begun, headers["x-slack-retry-num"], headers["x-slack-retry-reason"]]);
      if (answer === "hang") return new Promise(() => {});
      if (answer === "break") return Promise.reject(new Error("reset"));
      return Promise.resolve({ status: answer, headers: new Headers(), body: "" });
    };
    const attempts = new SlackEvents({ signingSecret: SIGNING_SECRET, post }).send(slack.workspace.write(ADA, "Hello"));
    await vi.runAllTimersAsync();
    expect(await attempts).toEqual([
      { fault: "http_timeout" },
      { fault: "connection_failed" },
      { status: 500, fault: "http_error" },
      { status: 503, fault: "http_error" },
    ]);
    expect(sentAt).toEqual([
      [0, undefined, undefined],
      [3_000, "1", "http_timeout"],
      [63_000, "2", "connection_failed"],
      [363_000, "3", "http_error"],
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("does not repeat an event that the app wants no retry of", async () => {
  const headers = new Headers({ "x-slack-no-retry": "1" });
  const post = async () => ({ status: 500, headers, body: "" });
  const events = new SlackEvents({ signingSecret: SIGNING_SECRET, post });
  expect(await events.send(slack.workspace.write(ADA, "Hello"))).toEqual([{ status: 500, fault: "http_error" }]);
});

test("sends events by Socket Mode to connections that the app's own token opened, again after each refresh", async () => {
  const { socketMode } = slack;
  expect(await refusal(clientOf(APP_TOKEN).auth.test())).toMatchObject({ error: "not_allowed_token_type" });
  const stranger = new WebSocket(`${slack.url.replace("http", "ws")}/link/?ticket=1`);
  expect(await new Promise((resolve) => stranger.addEventListener("close", ({ code }) => resolve(code)))).toBe(1008);
  expect(await socketMode.send(slack.workspace.write(ADA, "Too early"))).toBe(false);
  const clientOptions = { slackApiUrl: `${slack.url}/api/` };
  const { ERROR: logLevel } = webApi.LogLevel;
  // It opens a new connection as many milliseconds after the last one was lost.
  const pings = { clientPingTimeout: 100 };
  const receiver = new SocketModeReceiver({
    appToken: APP_TOKEN,
    installerOptions: { clientOptions },
    logLevel,
    ...pings,
  });
  const app = new App({ token: TOKEN, receiver, clientOptions, logLevel, tokenVerificationEnabled: false });
  app.message(async ({ say }) => void (await say("Hi")));
  await app.start();
  expect(await socketMode.send(slack.workspace.write(ADA, "Hello"))).toBe(true);
  const opened = () => slack.calls.filter((name) => name === "apps.connections.open").length;
  const before = opened();
  socketMode.refresh();
  await vi.waitFor(() => expect([opened(), socketMode.connections]).toEqual([before + 1, 1]), 10_000);
  expect(await socketMode.send(slack.workspace.write(ADA, "Hello again"))).toBe(true);
  await vi.waitFor(() => expect(slack.workspace.sent.map(({ text }) => text)).toEqual(["Hi", "Hi"]));
  await app.stop();
  await vi.waitFor(() => expect(socketMode.connections).toBe(0));
  expect(socketMode.unexpected).toEqual([]);
});
