/** Ids, conversations and responses of payloads that the vendors document. */
import { describe, expect, test } from "vitest";
import { eventOf, verdictOn } from "../testing/samples.ts";

const json = (body: unknown) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const ok = (body: unknown) => ({ status: 200, ...json(body) });
const SHA256 = /^sha256:[0-9a-f]{64}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// core.telegram.org/bots/api#update
describe("telegram", () => {
  const from = { id: 1111, is_bot: false, first_name: "Test" };
  const privateChat = { id: 1111, type: "private", first_name: "Test" };
  const forum = { id: -1001, type: "supergroup", is_forum: true };
  const inTopic = { message_id: 7, is_topic_message: true, message_thread_id: 42, chat: forum };

  test.each([
    ["message", { message_id: 1365, from, chat: privateChat, text: "/start" }, "1111"],
    ["edited_message", { message_id: 1365, from, chat: privateChat, text: "Edited" }, "1111"],
    ["message", { ...inTopic, from }, "-1001:42"],
    // A reply outside of a topic has a thread, too.
    ["message", { ...inTopic, is_topic_message: undefined }, "-1001"],
    [
      "channel_post",
      { message_id: 1, sender_chat: { id: -9, type: "channel" }, chat: { id: -9, type: "channel" } },
      "-9",
    ],
    ["callback_query", { id: "4382", from, message: inTopic, data: "x" }, "-1001:42"],
    ["callback_query", { id: "4382", from, inline_message_id: "1234csdbsk4839" }, "1111"],
    ["inline_query", { id: "134567890097", from, query: "inline query", offset: "" }, "1111"],
    ["chosen_inline_result", { result_id: "12", from, query: "q" }, "1111"],
    ["my_chat_member", { chat: forum, from, date: 1 }, "-1001"],
    ["chat_join_request", { chat: forum, from, user_chat_id: 2, date: 1 }, "-1001"],
    ["message_reaction", { chat: forum, message_id: 7, user: from, date: 1 }, "-1001"],
    ["poll_answer", { poll_id: "p", voter_chat: { id: -9, type: "channel" }, option_ids: [] }, "-9"],
    ["poll_answer", { poll_id: "p", user: from, option_ids: [0] }, "1111"],
    ["business_connection", { id: "b", user: from, user_chat_id: 1111, date: 1 }, "1111"],
    ["poll", { id: "p", question: "?", options: [] }, undefined],
  ])("%s %#", async (kind, value, conversation) => {
    expect(await eventOf("telegram", { update_id: 10000, [kind]: value })).toEqual({ eventId: "10000", conversation });
  });

  test("is answered with the method that shows typing in a private chat", async () => {
    const answerTo = async (update: object) => {
      const verdict = await verdictOn("telegram", { update_id: 1, ...update });
      return verdict.outcome === "verified" ? verdict.acknowledgement : undefined;
    };
    const typing = { method: "sendChatAction", chat_id: 1111, action: "typing" };
    const message = { message_id: 1, from, chat: privateChat, text: "Hi" };
    expect(await answerTo({ message })).toEqual(ok(typing));
    expect(await answerTo({ message: { ...message, is_topic_message: true, message_thread_id: 3 } })).toEqual(
      ok({ ...typing, message_thread_id: 3 }),
    );
    expect(await answerTo({ business_message: { ...message, business_connection_id: "b" } })).toEqual(
      ok({ ...typing, business_connection_id: "b" }),
    );
    const silent = { status: 200, headers: {}, body: "" };
    expect(await answerTo({ edited_message: message })).toEqual(silent);
    expect(await answerTo({ message: inTopic })).toEqual(silent);
  });
});

describe("slack", () => {
  // docs.slack.dev/apis/events-api/#callback-field
  const callback = (event: object) => ({
    token: "z26uFbvR1xHJEdHE1OQiO6t8",
    team_id: "T123ABC456",
    api_app_id: "A123ABC456",
    event,
    type: "event_callback",
    event_id: "Ev123ABC456",
    event_time: 123456789,
  });

  test.each([
    [
      { type: "message", channel: "C123ABC456", user: "U1", text: "Hi", ts: "1355517523.000005" },
      "T123ABC456:C123ABC456",
    ],
    [{ type: "message", channel: "C1", ts: "2.0", thread_ts: "1.0" }, "T123ABC456:C1:1.0"],
    [
      { type: "message", subtype: "message_changed", channel: "C1", message: { thread_ts: "1.0" } },
      "T123ABC456:C1:1.0",
    ],
    [{ type: "reaction_added", item: { type: "message", channel: "C123ABC456", ts: "1" } }, "T123ABC456:C123ABC456"],
    [{ type: "channel_created", channel: { id: "C024BE91L", name: "fun" } }, "T123ABC456:C024BE91L"],
    [{ type: "file_shared", channel_id: "D1", file_id: "F1" }, "T123ABC456:D1"],
    [{ type: "team_join", user: { id: "U1" } }, undefined],
  ])("event %#", async (event, conversation) => {
    const expected = { eventId: "Ev123ABC456", conversation };
    expect(await eventOf("slack", callback(event))).toEqual(expected);
    expect(await eventOf("slack", callback(event), { "x-slack-retry-num": "2" })).toEqual(expected);
  });

  test("url_verification is answered", async () => {
    // docs.slack.dev/reference/events/url_verification
    const challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P";
    const body = { token: "Jhj5dZrVaK7ZwHHjRyZWjbDl", challenge, type: "url_verification" };
    expect(await verdictOn("slack", body)).toEqual({ outcome: "answered", ...ok({ challenge }) });
  });

  test("interactions and slash commands have a trigger", async () => {
    // docs.slack.dev/reference/interaction-payloads/block_actions-payload
    const action = {
      type: "block_actions",
      team: { id: "T9TK3CUKW", domain: "example" },
      container: { type: "message", channel_id: "CBR2V3XEX", thread_ts: "1548261231.000200" },
      trigger_id: "12321423423.333649436676.d8c1bb837935619ccad0f624c448ffb3",
    };
    const payload = `payload=${encodeURIComponent(JSON.stringify(action))}`;
    expect(await eventOf("slack", payload)).toEqual({
      eventId: action.trigger_id,
      conversation: "T9TK3CUKW:CBR2V3XEX:1548261231.000200",
    });
    // The content type is not signed.
    expect(await eventOf("slack", payload, { "content-type": "application/json" })).toMatchObject({
      eventId: action.trigger_id,
    });
    const { trigger_id: _, ...suggestion } = action;
    const form = `payload=${encodeURIComponent(JSON.stringify(suggestion))}`;
    expect(await eventOf("slack", form)).toMatchObject({ eventId: expect.stringMatching(SHA256) });
    expect(await eventOf("slack", "command=%2Fweather&team_id=T1&channel_id=C1&trigger_id=13.1")).toEqual({
      eventId: "13.1",
      conversation: "T1:C1",
    });
    expect(await verdictOn("slack", "ssl_check=1&token=x")).toMatchObject({ outcome: "answered", status: 200 });
  });
});

describe("discord", () => {
  const PONG = ok({ type: 1 });

  test("PING is answered", async () => {
    // docs.discord.com/developers/interactions/overview#setting-up-an-endpoint
    expect(await verdictOn("discord", { type: 1 })).toEqual({ outcome: "answered", ...PONG });
    // docs.discord.com/developers/events/webhook-events#acknowledging-ping-requests
    const ping = { version: 1, application_id: "1234560123453231555", type: 0 };
    expect(await verdictOn("discord", ping)).toEqual({ outcome: "answered", status: 204, headers: {}, body: "" });
  });

  test("interactions are deferred", async () => {
    // docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
    const interaction = {
      id: "786008729715212338",
      type: 2,
      token: "A_UNIQUE_TOKEN",
      channel_id: "645027906669510667",
    };
    const expected = { eventId: "786008729715212338", conversation: "645027906669510667" };
    for (const type of [2, 3, 5])
      expect(await verdictOn("discord", { ...interaction, type })).toEqual({
        outcome: "verified",
        ...expected,
        acknowledgement: ok({ type: 5 }),
      });
    expect(await verdictOn("discord", { ...interaction, type: 4 })).toEqual({
      outcome: "answered",
      ...ok({ type: 8, data: { choices: [] } }),
    });
  });

  test("webhook events are not interactions", async () => {
    // docs.discord.com/developers/events/webhook-events#payload-structure
    const event = { type: "APPLICATION_AUTHORIZED", timestamp: "2024-10-18T14:42:53.064834", data: { scopes: [] } };
    const body = { version: 1, application_id: "1234560123453231555", type: 1, event };
    expect(await verdictOn("discord", body)).toEqual({
      outcome: "verified",
      eventId: expect.stringMatching(SHA256),
      conversation: undefined,
      acknowledgement: { status: 204, headers: {}, body: "" },
    });
  });
});

describe("line", () => {
  // developers.line.biz/en/reference/messaging-api/#request-body
  const event = (webhookEventId: string, source: object, isRedelivery = false) => ({
    type: "message",
    mode: "active",
    timestamp: 1462629479859,
    source,
    webhookEventId,
    deliveryContext: { isRedelivery },
  });
  const body = (...events: object[]) => ({ destination: "xxxxxxxxxx", events });
  const user = { type: "user", userId: "U4af4980629" };

  test("has the event's id and source", async () => {
    const id = "01FZ74A0TDDPYRVKNK77XKC3ZR";
    const expected = { eventId: id, conversation: "U4af4980629" };
    expect(await eventOf("line", body(event(id, user)))).toEqual(expected);
    expect(await eventOf("line", body(event(id, user, true)))).toEqual(expected);
    const group = { type: "group", groupId: "Ca56f94637c", userId: "U4af4980629" };
    expect(await eventOf("line", body(event(id, group)))).toMatchObject({ conversation: "Ca56f94637c" });
    const room = { type: "room", roomId: "Ra8dbf4673c", userId: "U4af4980629" };
    expect(await eventOf("line", body(event(id, room)))).toMatchObject({ conversation: "Ra8dbf4673c" });
  });

  test("has one id for a batch that is delivered again, in any order", async () => {
    const first = await eventOf("line", body(event("A", user), event("B", user)));
    expect(first).toEqual({ eventId: expect.stringMatching(SHA256), conversation: "U4af4980629" });
    expect(await eventOf("line", body(event("B", user, true), event("A", user, true)))).toEqual(first);
    expect(await eventOf("line", body(event("A", user), event("C", user)))).not.toEqual(first);
    const [left, right] = [body(event("AB", user), event("C", user)), body(event("A", user), event("BC", user))];
    expect(await eventOf("line", left)).not.toEqual(await eventOf("line", right));
  });

  test("answers the console's test without events", async () => {
    expect(await verdictOn("line", body())).toEqual({ outcome: "answered", status: 200, headers: {}, body: "" });
  });
});

describe("whatsapp", () => {
  const metadata = { display_phone_number: "15550783881", phone_number_id: "106540352242922" };
  const body = (...values: object[]) => ({
    object: "whatsapp_business_account",
    entry: [{ id: "102290129340398", changes: values.map((value) => ({ value, field: "messages" })) }],
  });
  // developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/overview
  const message = {
    messaging_product: "whatsapp",
    metadata,
    messages: [{ from: "16505551234", id: "wamid.HBg=", timestamp: "1749416383", type: "text" }],
  };
  const status = (name: string) => ({
    metadata,
    statuses: [{ id: "wamid.HBg=", status: name, timestamp: "1750857384", recipient_id: "16505551234" }],
  });
  const conversation = "106540352242922:16505551234";

  test("has the ids of messages and statuses", async () => {
    expect(await eventOf("whatsapp", body(message))).toEqual({ eventId: "wamid.HBg=", conversation });
    const eventId = "wamid.HBg=:delivered:1750857384";
    expect(await eventOf("whatsapp", body(status("delivered")))).toEqual({ eventId, conversation });
  });

  test("has one id for a batch, and another for a part of it", async () => {
    const batch = await eventOf("whatsapp", body(message, status("read")));
    expect(batch).toEqual({ eventId: expect.stringMatching(SHA256), conversation });
    expect(await eventOf("whatsapp", body(status("read"), message))).toEqual(batch);
    expect(await eventOf("whatsapp", body(message, status("sent")))).not.toEqual(batch);
  });

  test("has an id of the body if a part has none", async () => {
    const other = { event: "PARTNER_REMOVED" };
    const event = await eventOf("whatsapp", body(message, other));
    expect(event).toEqual({ eventId: expect.stringMatching(SHA256), conversation });
    expect(await eventOf("whatsapp", body(message, other))).toEqual(event);
    expect(await eventOf("whatsapp", body(message, { event: "VERIFIED_ACCOUNT" }))).not.toEqual(event);
  });
});

describe("messenger", () => {
  // developers.facebook.com/docs/messenger-platform/reference/webhook-events/messages
  const parties = { sender: { id: "PSID" }, recipient: { id: "PAGE" }, timestamp: 1458692752478 };
  const body = (...messaging: object[]) => ({
    object: "page",
    entry: [{ id: "PAGE", time: 1458692752478, messaging }],
  });
  const conversation = "PAGE:PSID";

  test("has the ids of messages and postbacks", async () => {
    const message = { ...parties, message: { mid: "m_1457764197618", text: "hello, world!" } };
    expect(await eventOf("messenger", body(message))).toEqual({ eventId: "m_1457764197618", conversation });
    const postback = { ...parties, postback: { mid: "m_MESSAGE-ID", title: "T", payload: "P" } };
    expect(await eventOf("messenger", body(postback))).toEqual({ eventId: "m_MESSAGE-ID", conversation });
    const again = { ...body(message), entry: [{ ...body(message).entry[0], time: 1458692759999 }] };
    expect(await eventOf("messenger", again)).toEqual({ eventId: "m_1457764197618", conversation });
    expect(await eventOf("messenger", body(message, postback))).toEqual({
      eventId: expect.stringMatching(SHA256),
      conversation,
    });
  });

  test("orders echoes with the person's messages", async () => {
    const echo = { sender: { id: "PAGE" }, recipient: { id: "PSID" }, message: { is_echo: true, mid: "m_2" } };
    expect(await eventOf("messenger", body(echo))).toEqual({ eventId: "m_2", conversation });
  });

  test("has an id of the body for events without one", async () => {
    const read = { ...parties, read: { watermark: 1458668856253 } };
    expect(await eventOf("messenger", body(read))).toEqual({ eventId: expect.stringMatching(SHA256), conversation });
  });
});

describe("github", () => {
  // docs.github.com/en/webhooks/webhook-events-and-payloads#example-webhook-delivery
  const headers = { "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958", "x-github-event": "issues" };
  const body = { action: "opened", repository: { id: 1296269, full_name: "octocat/Hello-World" } };
  const expected = { eventId: headers["x-github-delivery"], conversation: "octocat/Hello-World" };

  test("has the delivery's id and the repository, in JSON and in a form", async () => {
    expect(await eventOf("github", body, headers)).toEqual(expected);
    expect(await eventOf("github", `payload=${encodeURIComponent(JSON.stringify(body))}`, headers)).toEqual(expected);
    const organization = { action: "member_added", organization: { login: "octo-org" } };
    expect(await eventOf("github", organization, headers)).toMatchObject({ conversation: "octo-org" });
  });

  test("a ping is answered", async () => {
    const ping = { zen: "Keep it logically awesome.", hook_id: 1 };
    const answer = { outcome: "answered", status: 200, headers: {}, body: "" };
    expect(await verdictOn("github", ping, { ...headers, "x-github-event": "ping" })).toEqual(answer);
  });
});

test("gitlab has the id of the webhook's event, and the project", async () => {
  // docs.gitlab.com/user/project/integrations/webhook_events/#push-events
  const push = { object_kind: "push", project_id: 15, project: { id: 15, path_with_namespace: "mike/diaspora" } };
  const headers = { "webhook-id": "f5e5f430-f57b-4e6e-9fac-d9128cd7232f" };
  const eventId = headers["webhook-id"];
  expect(await eventOf("gitlab", push, headers)).toEqual({ eventId, conversation: "mike/diaspora" });
  const { project: _, ...job } = push;
  expect(await eventOf("gitlab", job, headers)).toEqual({ eventId, conversation: "15" });
  const member = { event_name: "user_add_to_group", group: { full_path: "webhook-test" } };
  expect(await eventOf("gitlab", member, headers)).toEqual({ eventId, conversation: "webhook-test" });
});

test("stripe has the event's id, and no order", async () => {
  // docs.stripe.com/webhooks#event-ordering
  const event = { id: "evt_1NG8Du2eZvKYlo2CUI79vXWy", object: "event", type: "setup_intent.created" };
  expect(await eventOf("stripe", event)).toEqual({ eventId: event.id, conversation: undefined });
});

test("standard-webhooks has the webhook's id, as text that a header can have", async () => {
  const idOf = (id: string) => eventOf("standard-webhooks", "", { "webhook-id": id });
  expect(await idOf("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W")).toMatchObject({ eventId: "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W" });
  expect(await idOf("a b")).toMatchObject({ eventId: expect.stringMatching(SHA256) });
  expect(await idOf("a".repeat(201))).toMatchObject({ eventId: expect.stringMatching(SHA256) });
});

test.each(["hmac", "bearer", "github"] as const)("%s without an id has a random one", async (kind) => {
  const [first, second] = [await eventOf(kind, "same"), await eventOf(kind, "same")];
  expect(first).toEqual({ eventId: expect.stringMatching(UUID), conversation: undefined });
  expect(second.eventId).not.toBe(first.eventId);
});

test.each(["idempotency-key", "webhook-id"])("hmac and bearer take the id of %s", async (name) => {
  for (const kind of ["hmac", "bearer"] as const)
    expect(await eventOf(kind, "", { [name]: "delivery-7" })).toMatchObject({ eventId: "delivery-7" });
});
