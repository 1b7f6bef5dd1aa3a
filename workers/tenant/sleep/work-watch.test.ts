import { expect, test } from "vitest";
import { type GatewayWork, gatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import { NextJob } from "./next-job.ts";
import { memoryStorage } from "./testing/memory-storage.ts";
import { WAKE_LEAD_MS, WorkWatch } from "./work-watch.ts";

const NOW = Date.parse("2030-01-01T08:00:00.000Z");
const MINUTE = 60_000;

function open(
  answer: () => { work: GatewayWork; isReported: boolean },
  storage = memoryStorage(),
  sleepsWithChannels = false,
) {
  const job = new NextJob(storage);
  const sandbox = { getWork: async () => answer() };
  const watch = new WorkWatch({
    storage,
    sandbox,
    job,
    sleepsWithChannels,
    recordReport: async () => {},
    leadMs: WAKE_LEAD_MS,
  });
  return { job, ask: async (now = NOW) => (await watch.check(() => now))?.reason };
}

const at = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();

test.each([
  ["hours away: it sleeps", 120, undefined],
  ["five minutes away: it sleeps", 5, undefined],
  ["nearer than sleep is worth: it waits", 4.9, "job"],
  ["late by minutes: it waits", -9, "job"],
  ["late for longer than any job is: it sleeps", -11, undefined],
])("handles a job that is %s", async (_, minutes, reason) => {
  const { ask, job } = open(() => ({ work: { busy: false, nextJobAt: at(minutes) }, isReported: true }));
  expect(await ask()).toBe(reason);
  expect(await job.at()).toBe(NOW + minutes * MINUTE);
});

test.each(["9999-12-31T23:59:59-23:59", "2031-02-01T00:00:00Z", "2028-01-01T00:00:00Z"])(
  "ignores a job of %s, so that the status stays valid",
  async (nextJobAt) => {
    const { ask, job } = open(() => ({ work: gatewayWork.parse({ busy: false, nextJobAt }), isReported: true }));
    expect(await ask()).toBeUndefined();
    expect(await job.at()).toBeUndefined();
  },
);

test("forgets a job that is no longer reported, and keeps it when nothing is reported", async () => {
  let isReported = true;
  let work: GatewayWork = { busy: false, nextJobAt: at(60) };
  const { ask, job } = open(() => ({ work, isReported }));
  await ask();
  isReported = false;
  work = { busy: false };
  expect(await ask(NOW + 58 * MINUTE)).toBe("job");
  isReported = true;
  expect(await ask()).toBeUndefined();
  expect(await job.at()).toBeUndefined();
});

test("stays awake for four hours of measurements, and without limit while the gateway reports work", async () => {
  const storage = memoryStorage();
  let isReported = false;
  const work: GatewayWork = { busy: false, channels: 1 };
  for (let asked = 0; asked < 240; asked++) {
    // Each by an object that starts cold.
    const { ask } = open(() => ({ work, isReported }), storage);
    expect(await ask()).toBe("channels");
  }
  const { ask } = open(() => ({ work, isReported }), storage);
  expect(await ask()).toBeUndefined();
  isReported = true;
  for (let asked = 0; asked < 300; asked++) expect(await ask()).toBe("channels");
});

test("sleeps after three consecutive failed checks", async () => {
  let fails = true;
  const { ask } = open(() => {
    if (fails) throw new Error("no");
    return { work: { busy: true }, isReported: true };
  });
  expect([await ask(), await ask()]).toEqual(["no answer", "no answer"]);
  fails = false;
  expect(await ask()).toBe("busy");
  fails = true;
  expect([await ask(), await ask(), await ask()]).toEqual(["no answer", "no answer", undefined]);
});
