/** The stand-in for LINE's Messaging API. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LineApi } from "./line-api.ts";

const CHANNEL = { token: "the-channel-access-token", secret: "0123456789abcdef0123456789abcdef", botId: "U0bot" };
const ADA = "U1ada";
const HI = [{ type: "text", text: "Hi" }];

let line: LineApi;

beforeEach(async () => {
  line = await LineApi.open(CHANNEL);
  line.addPerson(ADA, "Ada");
});
afterEach(() => {
  vi.useRealTimers();
  line.close();
});

async function post(path: string, body: object, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${CHANNEL.token}`, "content-type": "application/json", ...more };
  const response = await fetch(`${line.url}/v2/bot${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return [response.status, await response.json()];
}
const tokenOf = (text: string) =>
  (JSON.parse(line.write(ADA, text).body) as { events: [{ replyToken: string }] }).events[0].replyToken;

test("refuses wrong tokens, messages that it does not permit, and what does not exist", async () => {
  expect(await post("/message/push", {}, { authorization: "Bearer another" })).toEqual([401, expect.anything()]);
  expect(await post("/message/multicast", {})).toEqual([404, { message: "Not found" }]);
  for (const messages of [
    [],
    [{ type: "text", text: "" }],
    [{ type: "text", text: "x".repeat(5001) }],
    Array(6).fill(HI[0]),
  ])
    expect(await post("/message/push", { to: ADA, messages })).toEqual([400, expect.anything()]);
  expect(await post("/message/push", { to: "U2", messages: HI })).toEqual([400, expect.anything()]);
  expect(line.sent).toEqual([]);
  expect([...line.unknown]).toEqual(["POST /v2/bot/message/multicast"]);
});

test("takes each reply token once, for a minute", async () => {
  const replyToken = tokenOf("Hello");
  expect(await post("/message/reply", { replyToken, messages: HI })).toEqual([200, expect.anything()]);
  expect(await post("/message/reply", { replyToken, messages: HI })).toEqual([400, { message: "Invalid reply token" }]);
  const late = tokenOf("Are you there?");
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
  expect(await post("/message/reply", { replyToken: late, messages: HI })).toEqual([400, expect.anything()]);
  expect(line.sent).toEqual([{ to: ADA, text: "Hi", by: "reply" }]);
});

test("sends a message with a retry key once", async () => {
  const key = { "x-line-retry-key": randomUUID() };
  expect(await post("/message/push", { to: ADA, messages: HI }, key)).toEqual([200, expect.anything()]);
  expect(await post("/message/push", { to: ADA, messages: HI }, key)).toEqual([409, expect.anything()]);
  expect(await post("/message/push", { to: ADA, messages: HI }, { "x-line-retry-key": "1" })).toEqual([
    400,
    expect.anything(),
  ]);
  expect(line.sent).toEqual([{ to: ADA, text: "Hi", by: "push" }]);
});
