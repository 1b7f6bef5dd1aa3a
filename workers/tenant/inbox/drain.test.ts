/** The drain with virtual time, over the real store. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accepted, openDrain as open, status, BEGIN as T, unreachable } from "./testing/open-drain.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeEach(() => {
  vi.useFakeTimers({ now: T });
});
afterEach(() => {
  vi.useRealTimers();
});

test("delivers conversations side by side, at most 8 at once, and each in order", async () => {
  const { gateway, add, pass, states } = open();
  gateway.answer = () => new Promise((resolve) => setTimeout(() => resolve(accepted), 1_000));
  for (let n = 0; n < 30; n++) add(`${n % 10}-${Math.floor(n / 10)}`, `c${n % 10}`);
  await pass(10_000);
  expect([gateway.most, new Set(states())]).toEqual([8, new Set(["accepted"])]);
  for (let conversation = 0; conversation < 10; conversation++) {
    const own = gateway.attempts.filter((attempt) => attempt.startsWith(`${conversation}-`));
    expect(own.map((attempt) => attempt[2])).toEqual(["0", "1", "2"]);
  }
});

test("retries with doubled delays up to 5 minutes, in order, until 24 hours after the receipt", async () => {
  const { gateway, events, add, pass, states } = open();
  gateway.answer = async () => status(500);
  add("1", "a");
  add("2", "a");
  await pass(10 * MINUTE_MS);
  expect(gateway.attempts.slice(0, 9).map((attempt) => Number(attempt.split("@")[1]))).toEqual([
    0, 1, 3, 7, 15, 31, 63, 127, 255,
  ]);
  await pass(24 * HOUR_MS - 10 * MINUTE_MS);
  expect(states()).toEqual(["queued", "queued"]);
  gateway.answer = async (message) => (message.event_id === "1" ? status(500) : accepted);
  await pass(6 * MINUTE_MS);
  expect(states()).toEqual(["dead", "accepted"]);
  expect(events.filter((event) => event.startsWith("inbox.dead"))).toHaveLength(1);
});

test("spreads delays over the whole range, and waits as long as the gateway asks, up to 5 minutes", async () => {
  const early = open({ random: 0.25 });
  early.gateway.answer = async () => status(502);
  early.add("1");
  await early.pass(1_000);
  expect(early.gateway.attempts.slice(0, 3)).toEqual(["1@0", "1@0.25", "1@0.75"]);
  const asked = open();
  asked.gateway.answer = async () => status(429, 20_000);
  asked.add("1");
  await asked.pass(30_000);
  const [first = 0, second = 0] = asked.gateway.attempts.map((attempt) => Number(attempt.split("@")[1]));
  expect(second - first).toBe(20);
});

test("retries a message that cannot be read with delays, ends it after 24 hours, and does not delay others", async () => {
  const { gateway, events, add, pass, states } = open();
  gateway.answer = async ({ event_id }) => {
    if (event_id === "unreadable") throw new Error("R2 is unavailable");
    return accepted;
  };
  add("unreadable", "a");
  await pass(10 * MINUTE_MS);
  expect(gateway.attempts.length).toBeLessThan(12);
  add("next", "b");
  await pass(0);
  expect(states()).toEqual(["queued", "accepted"]);
  await pass(24 * HOUR_MS);
  expect(states()).toEqual(["dead", "accepted"]);
  expect(events.find((event) => event.startsWith("inbox.dead"))).toContain("body-lost");
});

test.each([400, 413, 415, 422])("ends a message at once after %i", async (code) => {
  const { gateway, events, add, pass, states } = open();
  gateway.answer = async () => status(code);
  add("1", "a");
  add("2", "a");
  await pass(1_000);
  expect([states(), gateway.attempts.length]).toEqual([["dead", "dead"], 2]);
  expect(events.filter((event) => event === "dead")).toHaveLength(2);
});

test.each([401, 403, 404, 405, 410])("ends a message after 8 attempts with %i", async (code) => {
  const { gateway, store, drain, add, pass, states } = open();
  add("before");
  await pass(2 * MINUTE_MS);
  // A gateway that is ready for a while; responses keep it verified.
  gateway.answer = async () => status(code);
  add("1");
  await pass(HOUR_MS);
  expect(states()).toEqual(["accepted", "dead"]);
  expect(store.list(["dead"], 0, 1)[0]).toMatchObject({
    attempts: 8,
    failure: JSON.stringify({ reason: "status", status: code }),
  });
  expect(await drain.wait()).toBeUndefined();
});

test("counts no attempt with 404 or 503 during the first minute of a gateway, whose hooks may not be ready", async () => {
  const { gateway, store, add, pass, states } = open();
  gateway.answer = async () => status(Date.now() - T < 40_000 ? 404 : 503);
  add("1");
  await pass(59_000);
  expect(store.list(["queued", "delivering"], 0, 1)[0]).toMatchObject({ attempts: 0 });
  expect(gateway.attempts.length).toBeGreaterThan(20);
  gateway.answer = async () => accepted;
  await pass(3_000);
  expect(states()).toEqual(["accepted"]);
});

test("counts no attempt while the gateway starts, and delivers as soon as it is ready", async () => {
  const { gateway, store, drain, add, pass, states } = open();
  gateway.isReady = false;
  add("1", "a");
  await pass(20_000);
  expect([gateway.attempts, gateway.checks > 5 && gateway.checks < 12]).toEqual([[], true]);
  await pass(10 * MINUTE_MS);
  // One check a minute in the end.
  expect(gateway.checks).toBeLessThan(25);
  gateway.isReady = true;
  drain.resume();
  await pass(0);
  expect([states(), store.list(["accepted"], 0, 1)[0]?.attempts]).toEqual([["accepted"], 1]);
});

test("delivers within half a second after the end of a start of any length, and checks a start that does not end less often", async () => {
  const { gateway, drain, add, pass, states } = open();
  gateway.isReady = false;
  gateway.isStarting = true;
  add("1");
  await pass(40_000);
  gateway.isReady = true;
  await pass(500);
  expect([states(), gateway.checks]).toEqual([["accepted"], 82]);
  gateway.isReady = false;
  gateway.answer = async () => unreachable;
  await pass(10_000);
  const before = gateway.checks;
  add("2");
  drain.resume();
  await pass(10 * MINUTE_MS);
  expect(gateway.checks - before).toBeLessThan(650);
  const late = gateway.checks;
  await pass(10 * MINUTE_MS);
  expect(gateway.checks - late).toBeLessThan(12);
});

test("checks a gateway again after a delivery that did not reach it, without a busy loop", async () => {
  const { gateway, store, add, pass } = open();
  gateway.answer = async () => unreachable;
  for (const conversation of ["a", "b", "c"]) add(conversation, conversation);
  await pass(MINUTE_MS);
  expect(gateway.attempts.length).toBeLessThan(50);
  expect(store.list(["queued", "delivering"], 0, 9).map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  gateway.answer = async () => accepted;
  await pass(MINUTE_MS);
  expect(store.status().pending).toBe(0);
});

test("counts an attempt that broke the connection to a running gateway", async () => {
  const { gateway, store, add, pass } = open();
  gateway.answer = async () => ({
    outcome: "failed",
    failure: { reason: "connection" },
    maxAttempts: Number.POSITIVE_INFINITY,
    retryAfterMs: 0,
  });
  add("1");
  await pass(10_000);
  expect(store.list(["queued"], 0, 1)[0]?.attempts).toBeGreaterThanOrEqual(3);
});

test("keeps the messages of a frozen tenant without attempts, and delivers them when it is resumed", async () => {
  const { gateway, drain, add, pass, states } = open();
  gateway.isHeld = true;
  add("1", "a");
  add("2", "a");
  await pass(48 * HOUR_MS);
  expect([gateway.attempts, gateway.checks, await drain.wait(), states()]).toEqual([
    [],
    0,
    undefined,
    ["queued", "queued"],
  ]);
  gateway.isHeld = false;
  gateway.isReady = false;
  drain.resume();
  await pass(10 * MINUTE_MS);
  gateway.isReady = true;
  await pass(2 * MINUTE_MS);
  expect(states()).toEqual(["accepted", "accepted"]);
});

test("expires messages without time left only after an hour without a ready gateway", async () => {
  const { gateway, events, add, pass, states } = open();
  gateway.isReady = false;
  add("1", "a");
  await pass(12 * HOUR_MS);
  add("2", "b");
  await pass(12 * HOUR_MS + 2 * MINUTE_MS);
  expect(states()).toEqual(["dead", "queued"]);
  expect(events[0]).toContain("expired");
});

test("continues by its alarm in another object after the object's end", async () => {
  const { gateway, build, add, pass } = open();
  gateway.answer = () => new Promise(() => {});
  add("1", "a");
  add("2", "a");
  await pass(0);
  gateway.answer = async () => accepted;
  const { store, drain } = build();
  store.recover(Date.now());
  drain.kick();
  await vi.advanceTimersByTimeAsync(0);
  expect(gateway.attempts).toEqual(["1@0", "1@0", "2@0"]);
  expect(store.status().pending).toBe(0);
});

test("delivers a message that arrives in the moment in which the drain ends", async () => {
  const { gateway, drain, store, add, pass } = open();
  add("1");
  await pass(0);
  for (let n = 2; n <= 30; n++) {
    add(String(n));
    // Each time after another number of turns.
    for (let turn = 0; turn < n; turn++) await Promise.resolve();
  }
  await vi.advanceTimersByTimeAsync(0);
  expect([gateway.attempts.length, store.status().pending, await drain.wait()]).toEqual([30, 0, undefined]);
});
