/** The stand-in for Telegram's Bot API, with grammY as its client. */
import { Api, Bot, GrammyError, webhookCallback } from "grammy";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TelegramApi, type WebhookCall } from "./telegram-api.ts";

const TOKEN = "7000000001:AAtest_token-abc";
const WEBHOOK = "https://hooks.example.com/0123456789abcdefghijklmn";
const ADA = { id: 4242, first_name: "Ada" };

let calls: WebhookCall[];
let status: number;
let telegram: TelegramApi;
let client: Api;

beforeEach(async () => {
  calls = [];
  status = 200;
  telegram = await TelegramApi.open(TOKEN, async (call) => {
    calls.push(call);
    return { status, retryAfter: 0 };
  });
  client = new Api(TOKEN, { apiRoot: telegram.url });
});
afterEach(() => telegram.close());

/** Returns the code and description of the error that a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<[number, string]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GrammyError)) throw new Error(`the call was not refused: ${error}`);
  return [error.error_code, error.description];
}

test("refuses a wrong token, and methods that do not exist", async () => {
  expect(await client.getMe()).toMatchObject({ is_bot: true, username: "acme_test_bot" });
  const stranger = new Api("7000000001:another", { apiRoot: telegram.url });
  expect(await refusal(stranger.getMe())).toEqual([401, "Unauthorized"]);
  expect(await refusal(client.getChatMenuButton())).toEqual([404, "Not Found"]);
  expect((await fetch(`${telegram.url}/bot${TOKEN}`)).status).toBe(404);
  expect(telegram.calls).toEqual(["getMe", "getChatMenuButton"]);
});

test("registers webhooks by HTTPS at the documented ports only", async () => {
  for (const url of ["http://hooks.example.com/x", "hooks.example.com", "https://hooks.example.com:8787/x"])
    expect((await refusal(client.setWebhook(url)))[0]).toBe(400);
  expect((await refusal(client.setWebhook(WEBHOOK, { secret_token: "not allowed" })))[0]).toBe(400);
  expect((await refusal(client.setWebhook(WEBHOOK, { secret_token: "x".repeat(257) })))[0]).toBe(400);
  expect((await client.getWebhookInfo()).url).toBe("");
  await client.setWebhook("https://hooks.example.com:8443/x", { allowed_updates: ["message"] });
  expect(await client.getWebhookInfo()).toMatchObject({ max_connections: 40, allowed_updates: ["message"] });
});

test("calls the webhook with the secret token until it accepts the update", async () => {
  const { update_id } = telegram.write(ADA, "Hello");
  expect(await telegram.deliver()).toEqual([]);
  await client.setWebhook(WEBHOOK, { secret_token: "the-secret" });
  status = 503;
  expect(await telegram.deliver()).toEqual([503]);
  const info = await client.getWebhookInfo();
  expect(info).toMatchObject({ pending_update_count: 1, last_error_message: "Wrong response from the webhook: 503" });
  status = 200;
  expect(await telegram.deliver()).toEqual([200]);
  expect(await telegram.deliver()).toEqual([]);
  expect(calls.map(({ url }) => url)).toEqual([WEBHOOK, WEBHOOK]);
  const [first, second] = calls;
  expect(first).toEqual(second);
  // As grammY's own webhook reads it.
  const seen: unknown[] = [];
  const bot = new Bot(TOKEN, { client: { apiRoot: telegram.url } });
  bot.on("message:text", ({ update }) => void seen.push([update.update_id, update.message.text]));
  const handle = webhookCallback(bot, "std/http", { secretToken: "the-secret" });
  const { url = "", ...init } = first ?? {};
  expect((await handle(new Request(url, { method: "POST", ...init }))).status).toBe(200);
  expect(seen).toEqual([[update_id, "Hello"]]);
});

test("returns updates by polling only without a webhook", async () => {
  telegram.write(ADA, "one");
  const { update_id } = telegram.write(ADA, "two");
  await client.setWebhook(WEBHOOK);
  expect(await refusal(client.getUpdates())).toEqual([409, expect.stringContaining("webhook is active")]);
  await client.deleteWebhook();
  expect(await client.getUpdates()).toHaveLength(2);
  expect(await client.getUpdates({ limit: 1 })).toMatchObject([{ message: { text: "one" } }]);
  expect(await client.getUpdates({ offset: update_id })).toMatchObject([{ update_id }]);
  expect(await client.getUpdates({ offset: update_id + 1 })).toEqual([]);
});

test("sends messages to known chats only, and edits them", async () => {
  expect(await refusal(client.sendMessage(ADA.id, "Hello"))).toEqual([400, "Bad Request: chat not found"]);
  telegram.write(ADA, "Hello");
  expect((await refusal(client.sendMessage(ADA.id, " ")))[1]).toBe("Bad Request: message text is empty");
  expect((await refusal(client.sendMessage(ADA.id, "x".repeat(4097))))[1]).toBe("Bad Request: message is too long");
  const { message_id } = await client.sendMessage(ADA.id, "Hi");
  expect((await refusal(client.editMessageText(ADA.id, message_id, "Hi")))[1]).toContain("is not modified");
  await client.editMessageText(ADA.id, message_id, "Hi, Ada");
  expect(telegram.sent.map(({ text }) => text)).toEqual(["Hi, Ada"]);
  expect((await refusal(client.editMessageText(ADA.id, message_id + 1, "x")))[1]).toContain("not found");
  expect(await client.sendChatAction(ADA.id, "typing")).toBe(true);
});
