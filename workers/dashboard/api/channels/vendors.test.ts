import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ChannelKind, channelKinds } from "#domain/channels/kinds.ts";
import { Failure } from "../../http/failure.tsx";
import { startVendorApis, type VendorApis } from "../../testing/vendor-apis.ts";
import { type Account, VENDORS } from "./vendors.ts";

const SLACK = "xoxb-1-2-secret-of-the-bot";
const APP_TOKEN = "xapp-1-A1-secret-of-the-app";
type AskedKind = Exclude<ChannelKind, "irc">;
const EMAIL = "bot@acme.iam.gserviceaccount.com";
const APP_ID = "8a9e2c1b-0000-4000-8000-0123456789ab";
const TENANT_ID = "8a9e2c1b-0000-4000-8000-0123456789ac";

/** Returns the file of a service account's key. */
function keyOf(key: KeyObject): string {
  const private_key = key.export({ type: "pkcs8", format: "pem" });
  return JSON.stringify({ type: "service_account", private_key_id: "k1", client_email: EMAIL, private_key });
}

const TOKENS: Record<AskedKind, string> = {
  telegram: "700:AAF-secret_of_the_bot_123456789",
  slack: SLACK,
  "slack-socket": SLACK,
  discord: "NzAwNzAwNzAwNzAwNzAwNzAw.secret.of_the_bot_1234567890",
  line: "line-token-of-the-bot/secret=",
  googlechat: keyOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey),
  msteams: "the~client.secret-of-the-bot",
  matrix: "syt_secret_of_the_bot",
};
const ACCOUNTS: Record<AskedKind, Account> = {
  telegram: { id: "700", name: "@acme" },
  slack: { id: "T1:U1", name: "@acme (Acme)" },
  "slack-socket": { id: "T1:U1", name: "@acme (Acme)" },
  discord: { id: "800", name: "acme" },
  line: { id: "U900", name: "acme (@216ru)" },
  googlechat: { id: EMAIL, name: EMAIL },
  msteams: { id: APP_ID, name: `App ${APP_ID}` },
  matrix: { id: "@acme:example.org", name: "@acme:example.org" },
};
/** Names of the tokens, other than `botToken`. */
const NAMES: Partial<Record<AskedKind, string>> = {
  line: "channelAccessToken",
  googlechat: "serviceAccount",
  msteams: "appPassword",
  matrix: "accessToken",
};
const askedKinds = channelKinds.filter((kind): kind is AskedKind => kind !== "irc");
const credentials = (kind: AskedKind) => {
  const secrets = {
    [NAMES[kind] ?? "botToken"]: TOKENS[kind],
    ...(kind === "slack-socket" && { appToken: APP_TOKEN }),
  };
  return { secrets, ...(kind === "msteams" && { settings: { appId: APP_ID, tenantId: TENANT_ID } }) };
};
const DOOR = "https://hooks.example.com/key";

let apis: VendorApis;
let logs: string[];
beforeAll(async () => {
  apis = await startVendorApis();
});
afterAll(() => apis?.stop());
afterEach(() => apis.reset());

function watchLogs() {
  logs = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((...texts) => void logs.push(JSON.stringify(texts)));
  onTestFinished(() => spy.mockRestore());
}

const withBot = (kind: AskedKind) => {
  apis.appTokens.add(APP_TOKEN);
  return apis.bots.set(TOKENS[kind], { id: ACCOUNTS[kind].id, name: "acme" });
};

/** Returns the failure of a call. It and the log must not have the token. */
async function failureOf(kind: AskedKind): Promise<Failure> {
  watchLogs();
  const error = await VENDORS[kind].account(apis.url, credentials(kind)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error("The call did not fail with a Failure.");
  const { message, details, headers } = error;
  expect(JSON.stringify([message, details, headers, logs])).not.toContain(TOKENS[kind]);
  return error;
}

describe.each(askedKinds)("%s", (kind) => {
  test("returns the bot of a valid token, and rejects any other", async () => {
    expect(await VENDORS[kind].account(apis.url, credentials(kind))).toBe("rejected");
    withBot(kind);
    expect(await VENDORS[kind].account(apis.url, credentials(kind))).toEqual(ACCOUNTS[kind]);
  });

  test.each([
    ["HTML", { status: 200, body: "<html>Blocked</html>" }],
    ["JSON of another shape", { status: 200, body: { ok: true } }],
    ["an error of its server", { status: 502, body: { ok: false } }],
    ["more than 64 KiB", { status: 200, body: `"${"x".repeat(70_000)}"` }],
  ])("fails for %s", async (_, answer) => {
    withBot(kind);
    apis.next.push(answer);
    expect(await failureOf(kind)).toMatchObject({ reason: "channel_vendor_response_unknown" });
  });

  test("does not follow a redirect", async () => {
    apis.next.push({ status: 302, body: {}, headers: { location: `${apis.url}/elsewhere` } });
    expect(await failureOf(kind)).toMatchObject({ reason: "channel_vendor_response_unknown" });
    expect(apis.heard).toHaveLength(1);
  });

  test("fails with the seconds to wait while the vendor limits requests", async () => {
    const body = { ok: false, error_code: 429, parameters: { retry_after: 7 } };
    apis.next.push({ status: 429, body, headers: { "retry-after": "7" } });
    expect(await failureOf(kind)).toMatchObject({ reason: "channel_vendor_busy", headers: { "retry-after": "7" } });
    apis.next.push({ status: 429, body: {} });
    expect(await failureOf(kind)).toMatchObject({ headers: { "retry-after": "30" } });
  });

  test("fails after 10 seconds without a response", async () => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    onTestFinished(() => timeout.mockRestore());
    apis.next.push("hang");
    const failed = failureOf(kind);
    await vi.waitFor(() => expect(apis.heard).toHaveLength(1));
    limit.abort(new DOMException("late", "TimeoutError"));
    expect(await failed).toMatchObject({ reason: "channel_vendor_no_response" });
    expect(timeout).toHaveBeenCalledWith(10_000);
  });

  test("fails when nothing listens", async () => {
    watchLogs();
    const call = VENDORS[kind].account("http://127.0.0.1:9", credentials(kind));
    await expect(call).rejects.toMatchObject({ reason: "channel_vendor_no_response" });
    expect(logs.join()).not.toContain(TOKENS[kind]);
  });
});

test.each([
  ["too long for the database", `@${"x".repeat(200)}:example.org`],
  ["no text of the database", "@a\u0000b:example.org"],
])("fails for a homeserver whose user ID is %s", async (_, user_id) => {
  apis.next.push({ status: 200, body: { user_id } });
  expect(await failureOf("matrix")).toMatchObject({ reason: "channel_vendor_response_unknown" });
});

test("removes control characters from the name of a bot, which a terminal would obey", async () => {
  apis.bots.set(TOKENS.line, { id: "U900", name: "\u001b[31mac\u0000me\r\n\u009b" });
  expect(await VENDORS.line.account(apis.url, credentials("line"))).toEqual({ id: "U900", name: "[31macme (@216ru)" });
});

test.each(["token_revoked", "token_expired", "account_inactive"])("rejects Slack's tokens with %s", async (error) => {
  apis.next.push({ status: 200, body: { ok: false, error } });
  expect(await VENDORS.slack.account(apis.url, credentials("slack"))).toBe("rejected");
});

test("returns where webhooks of Telegram go, and what it reports of the last one", async () => {
  const at = (kind: AskedKind) => VENDORS[kind].webhook?.(apis.url, credentials(kind), DOOR);
  expect(await at("telegram")).toBe("rejected");
  withBot("telegram");
  expect(await at("telegram")).toEqual({ registration: "none", error: null });
  apis.webhooks.set("700", "https://elsewhere.example.com/");
  expect(await at("telegram")).toEqual({ registration: "elsewhere", error: null });
  apis.webhooks.set("700", DOOR);
  expect(await at("telegram")).toEqual({ registration: "registered", error: null });
  const failing = { url: DOOR, last_error_message: "Wrong response from the webhook: 404 Not Found" };
  apis.next.push({ status: 200, body: { ok: true, result: failing } });
  expect(await at("telegram")).toEqual({ registration: "registered", error: failing.last_error_message });
  expect(await at("slack")).toEqual({ registration: "unknown", error: null });
});

test("deletes the webhook of its own door only", async () => {
  const { stop } = VENDORS.telegram;
  expect(await stop?.(apis.url, credentials("telegram"), DOOR)).toBe("rejected");
  withBot("telegram");
  apis.webhooks.set("700", "https://elsewhere.example.com/");
  expect(await stop?.(apis.url, credentials("telegram"), DOOR)).toBeUndefined();
  expect(apis.webhooks.size).toBe(1);
  apis.webhooks.set("700", DOOR);
  expect(await stop?.(apis.url, credentials("telegram"), DOOR)).toBeUndefined();
  expect(apis.webhooks.size).toBe(0);
});

test("rejects an app token of Slack that is wrong", async () => {
  withBot("slack-socket");
  apis.appTokens.clear();
  expect(await VENDORS["slack-socket"].account(apis.url, credentials("slack-socket"))).toBe("rejected");
});

test("refuses a bot of Discord that may not read messages", async () => {
  withBot("discord");
  apis.intents = 1 << 13;
  expect(await failureOf("discord")).toMatchObject({ reason: "channel_discord_intent_missing" });
  apis.intents = 1 << 19;
  expect(await VENDORS.discord.account(apis.url, credentials("discord"))).toEqual(ACCOUNTS.discord);
});

test("identifies a bot of IRC by server and nick, without a request", async () => {
  const account = (server: string, nick: string) =>
    VENDORS.irc.account("", { secrets: {}, settings: { server, nick } });
  const expected = { id: "irc.example.org/claw_bot", name: "Claw_Bot (irc.example.org)" };
  expect(await account("ircs://IRC.example.org", "Claw_Bot")).toEqual(expected);
  expect(await account("irc://irc.example.org:6668", "bot")).toMatchObject({ id: "irc.example.org:6668/bot" });
  expect(apis.heard).toEqual([]);
});

test("returns where webhooks of LINE go, and whether it uses them", async () => {
  const webhook = () => VENDORS.line.webhook?.(apis.url, credentials("line"), DOOR);
  expect(await webhook()).toBe("rejected");
  withBot("line");
  expect(await webhook()).toEqual({ registration: "none", error: null });
  apis.webhooks.set("U900", "https://elsewhere.example.com/");
  expect(await webhook()).toEqual({ registration: "elsewhere", error: null });
  apis.webhooks.set("U900", DOOR);
  expect(await webhook()).toEqual({ registration: "registered", error: null });
  apis.webhooks.set("U900", `off:${DOOR}`);
  expect(await webhook()).toEqual({ registration: "registered", error: expect.stringContaining("Use webhook is off") });
});

test("rejects what is no key of a service account without asking Google, and a key that Google does not know", async () => {
  const account = (serviceAccount: string) => VENDORS.googlechat.account(apis.url, { secrets: { serviceAccount } });
  const { private_key, ...rest } = JSON.parse(TOKENS.googlechat);
  const wrong = ["{}", "{", "[]", JSON.stringify(rest), JSON.stringify({ ...rest, private_key: "no PEM" })];
  const elsewhere = JSON.stringify({ ...rest, private_key, token_uri: "https://mallory.example.com/token" });
  for (const text of [...wrong, elsewhere]) expect(await account(text)).toBe("rejected");
  expect(apis.heard).toEqual([]);
  withBot("googlechat");
  expect(await account(keyOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey))).toBe("rejected");
});

test("fails for a service account whose project has no Chat app", async () => {
  withBot("googlechat");
  apis.chatApps = false;
  expect(await failureOf("googlechat")).toMatchObject({ reason: "channel_googlechat_app_missing" });
});
