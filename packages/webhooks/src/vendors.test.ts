/** The vendors' own libraries accept what is signed here, and what they sign is accepted here. */
import { validateSignature } from "@line/bot-sdk";
import { sign as signAsGithub, verify as verifyAsGithub } from "@octokit/webhooks-methods";
import { isValidSlackRequest } from "@slack/bolt/dist/receivers/verify-request.js";
import { verifyKey } from "discord-interactions";
import { Bot, webhookCallback } from "grammy";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { NOW, SAMPLES, signedSample, verifySample, withHeaders } from "./testing/samples.ts";

/** The libraries read the clock. */
beforeAll(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

/** With characters that have a meaning in replacements. */
const ID = "msg_$&{timestamp}";

const textOf = (body: Uint8Array) => new TextDecoder().decode(body);
const headersOf = (headers: Headers) => Object.fromEntries(headers.entries());
const verified = { outcome: "verified" };

test("standardwebhooks and GitLab, which documents it for its signing token", async () => {
  for (const [kind, secret] of [
    ["standard-webhooks", SAMPLES["standard-webhooks"].secrets.secret],
    ["gitlab", SAMPLES.gitlab.secrets.signingToken],
  ] as const) {
    const webhook = new Webhook(secret ?? "");
    const { request } = SAMPLES[kind];
    const body = kind === "gitlab" ? textOf(request.body) : '"Jos\u00e9 \ud83d\ude00"';
    const sent = { ...request, body: new TextEncoder().encode(body) };
    const signature = webhook.sign(ID, new Date(NOW), body);
    const own = { "webhook-id": ID, "webhook-timestamp": String(NOW / 1_000), "webhook-signature": signature };
    expect(await verifySample(kind, withHeaders(sent, own))).toEqual(
      expect.objectContaining({ ...verified, eventId: ID }),
    );
    const signed = await signedSample(kind, sent);
    expect(webhook.verify(body, headersOf(signed.headers))).toEqual(JSON.parse(body));
  }
});

test("stripe", async () => {
  const { webhooks } = new Stripe("sk_test_1");
  const { request, secrets } = SAMPLES.stripe;
  const [payload, secret] = [textOf(request.body), secrets.signingSecret ?? ""];
  const header = webhooks.generateTestHeaderString({ payload, secret, timestamp: NOW / 1_000 });
  expect(await verifySample("stripe", withHeaders(request, { "stripe-signature": header }))).toMatchObject(verified);
  const signed = await signedSample("stripe");
  const event = webhooks.constructEvent(payload, signed.headers.get("stripe-signature") ?? "", secret);
  expect(event.id).toBe("evt_1");
});

test("@octokit/webhooks-methods, and the values that GitHub documents", async () => {
  const { request, secrets } = SAMPLES.github;
  const [secret, body] = [secrets.secret ?? "", textOf(request.body)];
  // docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
  const documented = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  expect(await signAsGithub(secret, body)).toBe(documented);
  const sent = withHeaders(request, { "x-hub-signature-256": documented });
  expect(await verifySample("github", sent)).toMatchObject({ ...verified, eventId: "guid" });
  const signed = await signedSample("github");
  expect(await verifyAsGithub(secret, body, signed.headers.get("x-hub-signature-256") ?? "")).toBe(true);
});

test("@line/bot-sdk", async () => {
  const { request, secrets } = SAMPLES.line;
  const signature = (await signedSample("line")).headers.get("x-line-signature") ?? "";
  expect(validateSignature(textOf(request.body), secrets.channelSecret ?? "", signature)).toBe(true);
  expect(validateSignature(textOf(request.body), "another", signature)).toBe(false);
});

test("@slack/bolt, and the values that Slack documents", async () => {
  const { request, secrets } = SAMPLES.slack;
  const { headers } = await signedSample("slack");
  const options = {
    signingSecret: secrets.signingSecret ?? "",
    body: textOf(request.body),
    headers: {
      "x-slack-signature": headers.get("x-slack-signature") ?? "",
      "x-slack-request-timestamp": Number(headers.get("x-slack-request-timestamp")),
    },
  };
  expect(isValidSlackRequest(options)).toBe(true);
  expect(isValidSlackRequest({ ...options, signingSecret: "another" })).toBe(false);

  // docs.slack.dev/authentication/verifying-requests-from-slack#validating-a-request
  const body =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
    "&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com" +
    "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121." +
    "803a0bc887a14d10d2c447fce8b6703c";
  const documented = withHeaders(
    { ...request, body: new TextEncoder().encode(body) },
    {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
  );
  expect(await verifySample("slack", documented, 1_531_420_618_000)).toMatchObject({
    ...verified,
    eventId: "398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    conversation: "T1DC2JH3J:G8PSS9T3V",
  });
});

test("discord-interactions", async () => {
  const { request, secrets } = SAMPLES.discord;
  const { headers } = await signedSample("discord");
  const signature = headers.get("x-signature-ed25519") ?? "";
  const time = headers.get("x-signature-timestamp") ?? "";
  expect(await verifyKey(request.body, signature, time, secrets.publicKey ?? "")).toBe(true);
  expect(await verifyKey(request.body, signature, `${time}0`, secrets.publicKey ?? "")).toBe(false);
});

test("grammY", async () => {
  const { secrets } = SAMPLES.telegram;
  const bot = new Bot("1:a", {
    botInfo: {
      id: 1,
      is_bot: true,
      first_name: "b",
      username: "b",
      can_join_groups: true,
      can_read_all_group_messages: false,
      can_manage_bots: false,
      supports_guest_queries: false,
      supports_join_request_queries: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
    },
  });
  const received: number[] = [];
  bot.use(({ update }) => void received.push(update.update_id));
  const handle = webhookCallback(bot, "std/http", { secretToken: secrets.secretToken ?? "" });
  const signed = await signedSample("telegram");
  const send = (headers: Headers) =>
    handle(new Request("https://hooks.example.com/", { method: "POST", headers, body: signed.body }));
  expect((await send(signed.headers)).status).toBe(200);
  expect((await send(new Headers({ "x-telegram-bot-api-secret-token": "another" }))).status).toBe(401);
  expect(received).toEqual([10_000]);
});
