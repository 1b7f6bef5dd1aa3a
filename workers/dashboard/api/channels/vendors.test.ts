import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ChannelKind, channelKinds } from "#domain/channels/channel.ts";
import { Failure } from "../../http/failure.tsx";
import { startVendorApis, type VendorApis } from "../../testing/vendor-apis.ts";
import { VENDORS } from "./vendors.ts";

const TOKENS: Record<ChannelKind, string> = {
  telegram: "700:AAF-secret_of_the_bot_123456789",
  slack: "xoxb-1-2-secret-of-the-bot",
};
const ACCOUNTS = {
  telegram: { id: "700", name: "@acme" },
  slack: { id: "T1:U1", name: "@acme (Acme)" },
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

const withBot = (kind: ChannelKind) => apis.bots.set(TOKENS[kind], { id: ACCOUNTS[kind].id, name: "acme" });

/** Returns the failure of a call. It and the log must not have the token. */
async function failureOf(kind: ChannelKind): Promise<Failure> {
  watchLogs();
  const error = await VENDORS[kind].account(apis.url, TOKENS[kind]).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error("The call did not fail with a Failure.");
  const { message, details, headers } = error;
  expect(JSON.stringify([message, details, headers, logs])).not.toContain(TOKENS[kind]);
  return error;
}

describe.each(channelKinds)("%s", (kind) => {
  test("returns the bot of a valid token, and rejects any other", async () => {
    expect(await VENDORS[kind].account(apis.url, TOKENS[kind])).toBe("rejected");
    withBot(kind);
    expect(await VENDORS[kind].account(apis.url, TOKENS[kind])).toEqual(ACCOUNTS[kind]);
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
    const call = VENDORS[kind].account("http://127.0.0.1:9", TOKENS[kind]);
    await expect(call).rejects.toMatchObject({ reason: "channel_vendor_no_response" });
    expect(logs.join()).not.toContain(TOKENS[kind]);
  });
});

test.each(["token_revoked", "token_expired", "account_inactive"])("rejects Slack's tokens with %s", async (error) => {
  apis.next.push({ status: 200, body: { ok: false, error } });
  expect(await VENDORS.slack.account(apis.url, TOKENS.slack)).toBe("rejected");
});

test("returns where webhooks of Telegram go, and what it reports of the last one", async () => {
  const at = (kind: ChannelKind) => VENDORS[kind].webhook(apis.url, TOKENS[kind], DOOR);
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
  expect(await stop?.(apis.url, TOKENS.telegram, DOOR)).toBe("rejected");
  withBot("telegram");
  apis.webhooks.set("700", "https://elsewhere.example.com/");
  expect(await stop?.(apis.url, TOKENS.telegram, DOOR)).toBeUndefined();
  expect(apis.webhooks.size).toBe(1);
  apis.webhooks.set("700", DOOR);
  expect(await stop?.(apis.url, TOKENS.telegram, DOOR)).toBeUndefined();
  expect(apis.webhooks.size).toBe(0);
});
