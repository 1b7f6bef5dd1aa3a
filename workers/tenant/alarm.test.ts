import { afterEach, expect, test, vi } from "vitest";
import { Alarm, type AlarmStorage } from "./alarm.ts";

/** A storage whose calls take a turn, as in a Durable Object. */
function alarms() {
  let time: number | null = null;
  let reads = 0;
  const storage: AlarmStorage = {
    getAlarm: async () => {
      reads += 1;
      return time;
    },
    setAlarm: async (at) => {
      time = at;
    },
    deleteAlarm: async () => {
      time = null;
    },
  };
  /** The runtime removes an alarm that rings. */
  const ring = () => {
    time = null;
  };
  /** Milliseconds to the alarm. */
  const left = () => (time === null ? undefined : Math.ceil((time - Date.now()) / 1_000) * 1_000);
  return { alarm: new Alarm(storage), left, ring, reads: () => reads };
}

afterEach(() => {
  vi.useRealTimers();
});

test("rings at the earliest time that was asked for", async () => {
  const { alarm, left } = alarms();
  for (const ms of [9_000, 4_000, 6_000]) await alarm.ringWithin(ms);
  expect(left()).toBe(4_000);
  await alarm.reset(async () => [undefined, 8_000, 7_000]);
  expect(left()).toBe(7_000);
  await alarm.reset(async () => [undefined]);
  expect(left()).toBeUndefined();
});

test.each([0, 1, 2, 3, 4, 5])("keeps an alarm that is set while another is replaced, %i turns later", async (turns) => {
  const { alarm, left } = alarms();
  await alarm.ringWithin(5_000);
  // A message arrives after its absence was read. Only its own call makes the object ring.
  const reset = alarm.reset(async () => [undefined]);
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  await Promise.all([reset, alarm.ringWithin(6_000)]);
  expect(left()).toBe(6_000);
});

test("reads the alarm once for many calls, and again after it rang or was deleted", async () => {
  vi.useFakeTimers({ now: 0 });
  const { alarm, left, ring, reads } = alarms();
  for (const ms of [5_000, 5_000, 6_000]) await alarm.ringWithin(ms);
  expect([left(), reads()]).toEqual([5_000, 1]);
  vi.setSystemTime(5_000);
  ring();
  await alarm.ringWithin(5_000);
  expect([left(), reads()]).toEqual([5_000, 2]);
  await alarm.reset(async () => [undefined]);
  await alarm.ringWithin(7_000);
  expect([left(), reads()]).toEqual([7_000, 3]);
});
