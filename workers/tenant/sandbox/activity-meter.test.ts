import { expect, test } from "vitest";
import { ActivityMeter } from "./activity-meter.ts";

function metered() {
  let now = 1_000;
  const meter = new ActivityMeter(() => now);
  return { meter, pass: (ms: number) => (now += ms) };
}

test("is idle since it woke without traffic", () => {
  const { meter, pass } = metered();
  pass(5_000);
  expect(meter.read()).toMatchObject({ uptimeMs: 5_000, idleMs: 5_000, activeMs: 0, webSocketSessions: 0 });
});

test("counts overlapping requests once, and is not idle during a request", () => {
  const { meter, pass } = metered();
  pass(100);
  const first = meter.begin();
  pass(100);
  const second = meter.begin();
  pass(100);
  first();
  first();
  expect(meter.read()).toMatchObject({ idleMs: 0, activeMs: 200 });
  pass(100);
  second();
  pass(700);
  expect(meter.read()).toMatchObject({ uptimeMs: 1_100, idleMs: 700, activeMs: 300 });
});

test("counts a WebSocket when it opens and while the client sends", () => {
  const { meter, pass } = metered();
  meter.countWebSocket();
  pass(10_000);
  expect(meter.read()).toMatchObject({ idleMs: 10_000, activeMs: 1_000, webSocketSessions: 1 });
  meter.countMessage();
  pass(400);
  meter.countMessage();
  pass(3_000);
  expect(meter.read()).toMatchObject({ idleMs: 3_000, activeMs: 2_400, webSocketSessions: 1 });
});

test("has another id for each wake period", () => {
  expect(new ActivityMeter().read().wake).not.toBe(new ActivityMeter().read().wake);
});

test("returns no negative times when the clock goes back", () => {
  const { meter, pass } = metered();
  const end = meter.begin();
  pass(-5_000);
  end();
  pass(-500);
  const { uptimeMs, idleMs, activeMs } = meter.read();
  expect(Math.min(uptimeMs, idleMs, activeMs)).toBeGreaterThanOrEqual(0);
});
