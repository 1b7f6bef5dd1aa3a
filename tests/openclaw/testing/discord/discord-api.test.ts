/** The stand-in for Discord, with plain requests and sockets. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { DiscordApi } from "./discord-api.ts";
import { INTENT } from "./gateway.ts";

const TOKEN = "MTcy.G_the1.the-secret-part";
const ADA = "80351110224678912";
const APPLICATION = "172150183260323840";
const INTENTS = INTENT.directMessages | INTENT.messageContent;
const PROPERTIES = { os: "linux", browser: "test", device: "test" };

let discord: DiscordApi;

beforeEach(async () => {
  discord = await DiscordApi.open({ token: TOKEN, applicationId: APPLICATION, botId: APPLICATION, flags: 1 << 19 });
  discord.messages.addPerson(ADA, "ada");
});
afterEach(() => discord.close());

async function ask(call: string, body?: object | string, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = call.split(" ");
  const response = await fetch(`${discord.url}/api/v10${path}`, {
    ...{ method, headers: { authorization: `Bot ${TOKEN}`, ...headers } },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? undefined : (JSON.parse(text) as { code?: number; id?: string });
  return { status: response.status, headers: response.headers, answer };
}

/** Returns a refusal's status and code. */
const refusal = async (...given: Parameters<typeof ask>) => {
  const { status, answer } = await ask(...given);
  return [status, answer?.code];
};

interface Event {
  op: number;
  s: number | null;
  t: string | null;
  d: { session_id: string };
}

/** A connection of a bot. */
function openSocket(query = "v=10&encoding=json") {
  const socket = new WebSocket(`${discord.gatewayUrl}/?${query}`);
  const events: Event[] = [];
  socket.on("message", (data) => events.push(JSON.parse(String(data)) as Event));
  const opened = new Promise((resolve) => socket.on("open", resolve));
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const send = async (op: number, d: unknown) => {
    await opened;
    socket.send(JSON.stringify({ op, d }));
  };
  return { socket, events, closed, send };
}
const identity = { token: TOKEN, intents: INTENTS, properties: PROPERTIES };

test("refuses wrong tokens, programs without a name, and what does not exist", async () => {
  expect((await ask("GET /users/@me")).answer).toMatchObject({ id: APPLICATION, bot: true });
  expect(await refusal("GET /users/@me", undefined, { authorization: `Bearer ${TOKEN}` })).toEqual([401, 0]);
  expect(await refusal("GET /users/@me", undefined, { "user-agent": "" })).toEqual([403, 40_333]);
  expect(await refusal("GET /guilds/1")).toEqual([404, 0]);
  expect(await refusal("GET /channels/1")).toEqual([404, 10_003]);
  expect(await refusal("POST /users/@me/channels", { recipient_id: "1" })).toEqual([404, 10_013]);
  expect(await refusal("PUT /applications/1/commands", [])).toEqual([404, 10_002]);
  expect(await refusal("PUT /applications/1/commands", "[")).toEqual([400, 50_109]);
  const commands = `/applications/${APPLICATION}/commands`;
  expect((await ask(`POST ${commands}`, { name: "new", description: "Start" })).answer).toMatchObject({ id: "1" });
  expect((await ask(`POST ${commands}`, { name: "new", description: "Begin" })).answer).toMatchObject({ id: "1" });
  expect((await ask(`GET ${commands}`)).answer).toHaveLength(1);
  expect((await ask(`PUT ${commands}`, [])).answer).toEqual([]);
  expect([...discord.unknown]).toEqual(["GET /guilds/1"]);
});

test("sends messages in open channels, changes the bot's own, and limits each route and channel", async () => {
  const { answer } = await ask("POST /users/@me/channels", { recipient_id: ADA });
  const messages = `/channels/${answer?.id}/messages`;
  expect(await refusal(`POST ${messages}`, { content: " " })).toEqual([400, 50_006]);
  expect(await refusal(`POST ${messages}`, { content: "x".repeat(2001) })).toEqual([400, 50_035]);
  const missing = { content: "Hi", message_reference: { message_id: "1" } };
  expect(await refusal(`POST ${messages}`, missing)).toEqual([400, 50_035]);
  const sent = await ask(`POST ${messages}`, { content: "Hi" });
  expect(sent.headers.get("x-ratelimit-remaining")).toBe("1");
  expect((await ask(`PATCH ${messages}/${sent.answer?.id}`, { content: "Hi, Ada" })).status).toBe(200);
  expect(discord.messages.sent.map(({ content }) => content)).toEqual(["Hi, Ada"]);
  const { id } = discord.messages.write(ADA, "Hello");
  expect(await refusal(`PATCH ${messages}/${id}`, { content: "x" })).toEqual([403, 50_005]);
  expect((await ask(`POST ${messages}`, { content: "Hi" })).status).toBe(200);
  const limited = await ask(`POST ${messages}`, { content: "Hi" });
  expect([limited.status, limited.answer]).toEqual([429, expect.objectContaining({ global: false })]);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
});

test.each([
  ["another version", "v=9&encoding=json", [], 4012],
  ["an unknown shape", undefined, [2, {}], 4002],
  ["a wrong token", undefined, [2, { ...identity, token: `${TOKEN}x` }], 4004],
  ["an intent without its flag", undefined, [2, { ...identity, intents: INTENT.guildMembers }], 4014],
  ["an unknown intent", undefined, [2, { ...identity, intents: 2 ** 27 }], 4013],
  ["no identity", undefined, [3, {}], 4003],
  ["a message that is too long", undefined, [2, "x".repeat(5000)], 4002],
] as const)("closes a connection with %s", async (_name, query, message, code) => {
  const { send, closed } = openSocket(query);
  const [op, d] = message;
  if (op !== undefined) await send(op, d);
  expect(await closed).toBe(code);
});

test("sends events of the bot's intents, and again those that a resumed connection has missed", async () => {
  expect(discord.write(ADA, "Too early")).toBe(false);
  const first = openSocket();
  await first.send(1, null);
  await first.send(2, identity);
  await vi.waitFor(() => expect(first.events.map(({ op }) => op)).toEqual([10, 11, 0]));
  const session_id = first.events[2]?.d.session_id;
  expect(discord.write(ADA, "Hello")).toBe(true);
  expect(discord.gateway.dispatch(INTENT.guildMembers, "GUILD_MEMBER_ADD", {})).toBe(false);
  discord.gateway.reconnect();
  await vi.waitFor(() =>
    expect(first.events.map(({ op, t }) => t ?? op)).toEqual([10, 11, "READY", "MESSAGE_CREATE", 7]),
  );
  first.socket.close(4000);
  await first.closed;
  expect(discord.write(ADA, "Meanwhile")).toBe(true);
  const second = openSocket();
  await second.send(6, { token: TOKEN, session_id, seq: 2 });
  await vi.waitFor(() =>
    expect(second.events.map(({ s, t }) => [s, t]).slice(1)).toEqual([
      [3, "MESSAGE_CREATE"],
      [4, "RESUMED"],
    ]),
  );
  await second.send(2, identity);
  expect(await second.closed).toBe(4005);
  const third = openSocket();
  await third.send(6, { token: TOKEN, session_id: "another", seq: 2 });
  await vi.waitFor(() => expect(third.events.map(({ op }) => op)).toEqual([10, 9]));
  third.socket.close(1000);
});
