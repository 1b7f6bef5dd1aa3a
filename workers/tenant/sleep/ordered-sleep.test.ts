import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OtherState } from "../backup/errors.ts";
import type { WorkAnswer } from "../sandbox/port.ts";
import { alwaysAwake } from "./control.ts";
import { IdleTime } from "./idle-time.ts";
import { NextJob } from "./next-job.ts";
import { Postponement } from "./postponement.ts";
import { SleepSchedule } from "./schedule.ts";
import { Sleeper } from "./sleeper.ts";
import { memoryStorage } from "./testing/memory-storage.ts";
import { WakeUp } from "./wake-up.ts";
import { WAKE_LEAD_MS, WorkWatch } from "./work-watch.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2030-01-01T08:00:00.000Z");
const at = (ms: number): string => new Date(NOW + ms).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tenant in use, whose sandbox sleeps after two hours. */
function open() {
  const storage = memoryStorage();
  const job = new NextJob(storage);
  const idleMs = 2 * HOUR;
  const events: string[] = [];
  const record = (event: string) => void events.push(event);
  const state = { awake: true, held: false, busy: false };
  const gateway = {
    get isBusy() {
      return state.busy;
    },
    start: vi.fn(),
  };
  const answer: WorkAnswer = { work: { busy: false }, isReported: true };
  const activity = { wake: "1", idleMs: 0, uptimeMs: HOUR, activeMs: 0, webSocketSessions: 0 };
  const sandbox = {
    listProcesses: async () => ({ processes: [], ...(state.awake && { activity }) }),
    getWork: async () => answer,
    kill: vi.fn(async () => true),
    sleep: async () => {
      state.awake = false;
    },
  };
  const maker = { check: vi.fn(async () => {}), settle: async () => {}, backUp: vi.fn(async (): Promise<void> => {}) };
  const isHeld = async () => state.held;
  const plan = { sleepsWithChannels: false };
  const work = new WorkWatch({ storage, sandbox, job, ...plan, recordReport: async () => {}, leadMs: WAKE_LEAD_MS });
  const ringWithin = vi.fn(async () => {});
  const sleeper = new Sleeper({ sandbox, maker, forgetStatus: () => {}, measure: async () => {}, record });
  const schedule = new SleepSchedule({
    sandbox,
    idle: new IdleTime({ storage, job, idleMs, afterJobMs: idleMs }),
    sleeper,
    postponement: new Postponement({ work, job, gateway, pendingMessages: async () => 0, isHeld, record, idleMs }),
    job,
    work,
    ...plan,
    wakeUp: new WakeUp({ job, work, gateway, isHeld, record, idleMs }),
    gateway,
    ringWithin,
  });
  return { schedule, job, state, gateway, answer, sandbox, maker, ringWithin, sleeper, events };
}

test("sleeps at once with a backup, and stays asleep without a job", async () => {
  const { schedule, state, maker, ringWithin, answer } = open();
  answer.work = { busy: false, channels: 2 };
  expect(await schedule.sleepNow()).toEqual({ asleep: true });
  expect([state.awake, maker.backUp.mock.calls.length, ringWithin.mock.calls]).toEqual([false, 1, []]);
});

test("wakes at the ordered time as for a job", async () => {
  const { schedule, gateway, ringWithin, events } = open();
  expect(await schedule.sleepNow(60_000)).toEqual({ asleep: true, wakesAt: at(60_000) });
  expect(ringWithin).toHaveBeenCalledExactlyOnceWith(60_000);
  expect(await schedule.check()).toBe(60_000);
  vi.setSystemTime(NOW + 60_000);
  await schedule.check();
  expect([gateway.start.mock.calls.length, events]).toEqual([1, ["sleep.begun", "sleep.ended"]]);
});

test.each([
  ["an earlier job of the gateway", HOUR, 2 * HOUR, HOUR - WAKE_LEAD_MS],
  ["an earlier ordered time", 2 * HOUR, HOUR, HOUR],
])("wakes for %s", async (_, jobMs, wakeAfterMs, wakeMs) => {
  const { schedule, answer } = open();
  answer.work = { busy: false, nextJobAt: at(jobMs) };
  expect(await schedule.sleepNow(wakeAfterMs)).toEqual({ asleep: true, wakesAt: at(wakeMs) });
});

test("sets the time of a tenant that sleeps already, and wakes no frozen one", async () => {
  const { schedule, state, maker } = open();
  state.awake = false;
  expect(await schedule.sleepNow(HOUR)).toEqual({ asleep: true, wakesAt: at(HOUR) });
  state.held = true;
  expect(await schedule.sleepNow(HOUR)).toEqual({ asleep: true });
  expect(maker.backUp).not.toHaveBeenCalled();
});

type Tenant = ReturnType<typeof open>;

test.each<[string, string, (tenant: Tenant) => unknown, number]>([
  ["work in progress", "sleep_interrupts_work", ({ answer }) => Object.assign(answer.work, { busy: true }), 0],
  [
    "a job that is due soon",
    "sleep_interrupts_work",
    ({ answer }) => Object.assign(answer.work, { nextJobAt: at(60_000) }),
    0,
  ],
  ["a start in progress", "sleep_cancelled", ({ state }) => Object.assign(state, { busy: true }), 0],
  [
    "a state that must not be backed up",
    "sleep_state_not_backed_up",
    ({ maker }) => maker.check.mockRejectedValue(new OtherState()),
    0,
  ],
  ["a failed backup", "sleep_failed", ({ maker }) => maker.backUp.mockRejectedValue(new Error("R2 is away")), 1],
  [
    "a request that comes meanwhile",
    "sleep_cancelled",
    ({ maker, sleeper }) => maker.backUp.mockImplementation(async () => sleeper.keepAwake()),
    1,
  ],
])("stays awake for %s, without the ordered time", async (_, reason, prepare, starts) => {
  const tenant = open();
  prepare(tenant);
  expect(await tenant.schedule.sleepNow(HOUR)).toMatchObject({ refused: { reason } });
  expect([tenant.state.awake, tenant.gateway.start.mock.calls.length]).toEqual([true, starts]);
  expect(await tenant.job.at()).not.toBe(NOW + HOUR + WAKE_LEAD_MS);
});

test("does not end a gateway whose start begins while its work is checked", async () => {
  const { schedule, state, sandbox, maker } = open();
  const getWork = sandbox.getWork;
  sandbox.getWork = async () => {
    state.busy = true;
    return getWork();
  };
  expect(await schedule.sleepNow()).toMatchObject({ refused: { reason: "sleep_cancelled" } });
  expect([sandbox.kill.mock.calls, maker.backUp.mock.calls]).toEqual([[], []]);
});

test("refuses for a plan that never sleeps", async () => {
  expect(await alwaysAwake.sleepNow()).toMatchObject({ refused: { reason: "sleep_not_in_plan" } });
});
