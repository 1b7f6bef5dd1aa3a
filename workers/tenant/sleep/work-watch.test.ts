import { expect, test } from "vitest";
import { type GatewayWork, gatewayWork } from "#workers/contracts/tenant/sandbox.ts";
import { NextJob, type SleepStorage } from "./next-job.ts";
import { WAKE_LEAD_MS, WorkWatch } from "./work-watch.ts";

const NOW = Date.parse("2030-01-01T08:00:00.000Z");
const MINUTE = 60_000;

function memory(): SleepStorage {
  const kept = new Map<string, string>();
  return {
    get: async (key) => JSON.parse(kept.get(key) ?? "null") ?? undefined,
    put: async (key, value) => void kept.set(key, JSON.stringify(value)),
    delete: async (key) => kept.delete(key),
  };
}

function open(
  answer: () => { work: GatewayWork; isReported: boolean },
  storage = memory(),
  sleepsWithChannels = false,
) {
  const job = new NextJob(storage);
  const sandbox = { getWork: async () => answer() };
  const watch = new WorkWatch({ storage, sandbox, job, sleepsWithChannels, leadMs: WAKE_LEAD_MS });
  return { job, ask: async (now = NOW) => (await watch.check(() => now))?.reason };
}

const at = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();

test.each([
  ["hours away: it sleeps", 120, undefined],
  ["five minutes away: it sleeps", 5, undefined],
  ["nearer than sleep is worth: it waits", 4.9, "job"],
  ["late by minutes: it waits", -9, "job"],
  ["late for longer than any job is: it sleeps", -11, undefined],
])("a job that is %s", async (_, minutes, reason) => {
  const { ask, job } = open(() => ({ work: { busy: false, nextJobAt: at(minutes) }, isReported: true }));
  expect(await ask()).toBe(reason);
  expect(await job.at()).toBe(NOW + minutes * MINUTE);
});

test.each(["9999-12-31T23:59:59-23:59", "2031-02-01T00:00:00Z", "2028-01-01T00:00:00Z"])(
  "a job of %s is none: nobody waits for it, and the status that tells of it stays readable",
  async (nextJobAt) => {
    const { ask, job } = open(() => ({ work: gatewayWork.parse({ busy: false, nextJobAt }), isReported: true }));
    expect(await ask()).toBeUndefined();
    expect(await job.at()).toBeUndefined();
  },
);

test("a gateway that no longer tells of a job has none; one that tells nothing has the one of before", async () => {
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

test("what was measured keeps it awake for four hours of questions, what the gateway says as long as it says so", async () => {
  const storage = memory();
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

test("one that cannot be asked sleeps after the third time in a row", async () => {
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
