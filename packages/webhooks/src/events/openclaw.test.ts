import { expect, test } from "vitest";
import { requestOf, verify } from "../testing/samples.ts";

// docs.openclaw.ai/gateway/config-hooks#hook-agent-payload
const PAYLOAD = { message: "Run this", name: "Email", idempotencyKey: "body-key", sessionKey: "hook:email:msg-123" };

const eventOf = async (body: unknown, headers: Record<string, string> = {}) => {
  const all = new Headers({ authorization: "Bearer t", ...headers });
  return verify("openclaw", { token: "t" }, requestOf(body, { subpath: "agent", headers: all }));
};

test("takes the idempotency key as OpenClaw does, and the session as conversation", async () => {
  const conversation = "hook:email:msg-123";
  expect(await eventOf(PAYLOAD)).toMatchObject({ eventId: "body-key", conversation });
  const own = { "x-openclaw-idempotency-key": "own-key" };
  expect(await eventOf(PAYLOAD, own)).toMatchObject({ eventId: "own-key" });
  expect(await eventOf(PAYLOAD, { ...own, "idempotency-key": "header-key" })).toMatchObject({ eventId: "header-key" });
});

test("gives a random id to a hook without a key", async () => {
  const [first, second] = [await eventOf({ text: "System line" }), await eventOf({ text: "System line" })];
  expect(first).toMatchObject({ outcome: "verified", conversation: undefined });
  expect(first).not.toEqual(second);
});
