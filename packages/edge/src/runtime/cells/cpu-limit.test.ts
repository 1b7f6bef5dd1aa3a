import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Activity, CpuLimit } from "./cpu-limit.ts";
import { readCpu } from "./cpu-meter.ts";

vi.mock("./cpu-meter.ts");

const LIMIT_MS = 300;
/** A loaded machine runs another process for this time. */
const INTERRUPTED_MS = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Watches a process, with every second reading interrupted. @returns whether it exceeds its limit within ten times of it */
function isEnded(ranIn: (ms: number) => number): boolean {
  const onExceeded = vi.fn();
  let readings = 0;
  vi.mocked(readCpu).mockImplementation(() => {
    const reading = { ran: ranIn(performance.now()), waited: 0 };
    readings += 1;
    if (readings % 2 === 0) vi.advanceTimersByTime(INTERRUPTED_MS);
    return reading;
  });
  const activities = new Set<Activity>([{ limit: LIMIT_MS, socket: true, used: 0 }]);
  const limit = new CpuLimit({ pid: 1, activities, ceiling: LIMIT_MS, onExceeded });
  vi.advanceTimersByTime(10 * LIMIT_MS);
  limit.stop();
  return onExceeded.mock.calls.length > 0;
}

test("ends an endless loop when the machine interrupts readings", () => {
  expect(isEnded((ms) => ms)).toBe(true);
});

test("does not end a process that waits most of the time", () => {
  expect(isEnded((ms) => ms / 10)).toBe(false);
});
