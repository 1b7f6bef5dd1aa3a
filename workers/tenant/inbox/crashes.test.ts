/** Messages that end the gateway, with virtual time. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outcome } from "./outcome.ts";
import { accepted, BEGIN, openDrain as open, status } from "./testing/open-drain.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const broken: Outcome = { outcome: "unreachable", isBroken: true };

beforeEach(() => {
  vi.useFakeTimers({ now: BEGIN });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["a status of a proxy", status(502)],
  ["a lost connection", broken],
] as const)("ends a message that ends the gateway each time with %s, and no other", async (_what, outcome) => {
  const { gateway, store, events, add, pass, states } = open();
  const at = (id: string) => gateway.attempts.filter((attempt) => attempt.startsWith(id)).length;
  const together: string[] = [];
  gateway.answer = async ({ event_id }) => {
    const gatewayId = gateway.ended.length;
    if (event_id === "poison") {
      together.push(`${gateway.inProgress}`);
      gateway.ended.push(`gateway-${gatewayId}`);
      return outcome;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    // It ends with the gateway.
    return gateway.ended.length > gatewayId ? outcome : accepted;
  };
  for (let n = 0; n < 4; n++) add(`beside-${n}`, `c${n}`);
  add("poison", "a");
  add("behind", "a");
  await pass(MINUTE_MS);
  expect(states()).toEqual(["accepted", "accepted", "accepted", "accepted", "dead", "accepted"]);
  const [dead] = store.list(["dead"], 0, 9);
  expect([dead?.event_id, dead?.failure, at("poison")]).toEqual(["poison", JSON.stringify({ reason: "crash" }), 4]);
  expect(together.slice(1)).toEqual(["1", "1", "1"]);
  const times = (name: string) => events.filter((event) => event.startsWith(name)).length;
  expect([times("inbox.dead"), times("inbox.delivered-alone") >= 3]).toEqual([1, true]);
});

test("does not count ends of the gateway between attempts that it answered, or with another message", async () => {
  const { gateway, add, pass, states } = open();
  gateway.answer = async ({ event_id }) => {
    gateway.ended.push(`gateway-${gateway.ended.length}`);
    return event_id === "answered" && gateway.attempts.length < 20 ? status(429) : accepted;
  };
  add("answered", "a");
  for (let n = 0; n < 10; n++) add(`beside-${n}`, `c${n}`);
  await pass(2 * HOUR_MS);
  expect(new Set(states())).toEqual(new Set(["accepted"]));
});

test("ends a message whose connection breaks for 24 hours", async () => {
  const { gateway, add, pass, states } = open();
  gateway.answer = async () => broken;
  add("1");
  await pass(23 * HOUR_MS);
  expect(states()[0]).not.toBe("dead");
  await pass(2 * HOUR_MS);
  expect(states()).toEqual(["dead"]);
});
