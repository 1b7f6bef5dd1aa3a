import { expect } from "vitest";
import { ADMIN, adminLog, listed, running } from "../testing/backup-tenant.ts";
import { ARCHIVE, type Call, DESTROY, END, type Held, START, UPLOAD } from "../testing/engine-proxy.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { asleep, gatewayOf, isAsleep, keepNote, keptNotes } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

const is = (call: Call) => (one: Call) => one === call;

// Each test has its own tenant and mostly waits, so some run concurrently.

// A running tenant with one note and a first backup.
const test = base.extend("open", ({ openProxied }) => async (idleSeconds = 2) => {
  const opened = await openProxied(undefined, { bindings: { SLEEP_AFTER_SECONDS: String(idleSeconds) } });
  await running(opened.tenant);
  await keepNote(opened.tenant, "before");
  await eventually(async () => (await listed(opened.tenant)).length > 0);
  return opened;
});

/** In seconds. Long enough that an unused gateway is observed to run before it is ended again. */
const LONGER_THAN_A_START = 6;

/** Waits until the tenant falls asleep up to the held call. @returns a note of a user who came just before */
async function fallAsleep(tenant: Tenant, hold: Held): Promise<{ kept: Promise<void> }> {
  // Wakes the tenant if it already sleeps.
  const kept = keepNote(tenant, "before");
  await eventually(() => hold.calls.length > 0);
  return { kept };
}

const texts = Array.from({ length: 20 }, (_, i) => `note ${i}`);

/** There must never be more than one; on a busy machine the gateway may sleep again. */
const expectNoSecond = (tenant: Tenant) => expect(tenant.processes("gateway").length).toBeLessThanOrEqual(1);

for (const { at, call } of [
  { at: "when the gateway is about to be ended", call: END },
  { at: "while its state is archived", call: ARCHIVE },
  { at: "while the archive is stored", call: UPLOAD },
  { at: "when the disk is about to go", call: DESTROY },
])
  test.concurrent(`twenty requests ${at} lose nothing and start one gateway`, async ({ open }) => {
    const { tenant, proxy } = await open();
    const hold = proxy.hold(is(call));
    const first = await fallAsleep(tenant, hold);
    const before = proxy.calls.length;
    const kept = Promise.all(texts.map((text) => keepNote(tenant, text)));
    await tenant.health("?passive=1");
    hold.release();
    await Promise.all([kept, first.kept]);
    expectNoSecond(tenant);
    if (call !== END) {
      const next = proxy.calls.slice(before).find((one) => one === START || one === DESTROY);
      expect(next).toBe(START);
    }
    expect(await keptNotes(tenant)).toEqual(new Set(["before", ...texts]));
    await asleep(tenant);
    await running(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["before", ...texts]));
    expectNoSecond(tenant);
  });

test.concurrent("loses no request at any moment around the sleep", async ({ open }) => {
  const { tenant } = await open();
  const all = ["before"];
  for (let round = 0; round < 4; round++) {
    const last = Date.now();
    await eventually(() => Date.now() - last > 1_850 + round * 100 || isAsleep(tenant));
    const batch = Array.from({ length: 20 }, (_, i) => `${round}/${i}`);
    await Promise.all(batch.map((text) => keepNote(tenant, text)));
    all.push(...batch);
    expectNoSecond(tenant);
  }
  expect(await keptNotes(tenant)).toEqual(new Set(all));
});

test.concurrent("stays awake while its backup fails, and sleeps once it succeeds", async ({ open }) => {
  const { tenant, proxy } = await open(LONGER_THAN_A_START);
  const first = gatewayOf(tenant);
  proxy.fail(UPLOAD);
  const before = proxy.calls.length;
  await keepNote(tenant, "not backed up yet");
  await eventually(() => tenant.processes("gateway").some(({ pid }) => pid !== first));
  await running(tenant);
  expect(await keptNotes(tenant)).toEqual(new Set(["before", "not backed up yet"]));
  expectNoSecond(tenant);
  expect(await adminLog(tenant)).toContain("sleep.failed");
  expect(proxy.calls.slice(before)).not.toContain(DESTROY);

  proxy.fail();
  await asleep(tenant);
  await running(tenant);
  expect(await keptNotes(tenant)).toEqual(new Set(["before", "not backed up yet"]));
});

test.concurrent("restarts the gateway when the sandbox cannot be stopped", async ({ open }) => {
  const { tenant, proxy } = await open(LONGER_THAN_A_START);
  proxy.fail(DESTROY);
  await eventually(() => proxy.calls.includes(DESTROY));
  await tenant.until(({ status }) => status === "running", "?passive=1");
  expect(await keptNotes(tenant)).toEqual(new Set(["before"]));
  proxy.fail();
  await asleep(tenant);
});

for (const call of [ARCHIVE, DESTROY])
  test.concurrent(`continues when the supervisor ends during ${call}`, async ({ open }) => {
    const { tenant, proxy } = await open();
    const hold = proxy.hold(is(call));
    const first = await fallAsleep(tenant, hold);
    await tenant.restartWorker();
    hold.release();
    await first.kept;
    await asleep(tenant);
    expect(await keptNotes(tenant)).toEqual(new Set(["before"]));
    expectNoSecond(tenant);
  });

test.concurrent("leaves one gateway with its state when an administrator restarts it while it falls asleep", async ({
  open,
}) => {
  const { tenant, proxy } = await open(LONGER_THAN_A_START);
  const hold = proxy.hold(is(ARCHIVE));
  const first = await fallAsleep(tenant, hold);
  const restart = tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  await tenant.health("?passive=1");
  hold.release();
  expect((await restart).status).toBe(202);
  await first.kept;
  await tenant.until(({ status }) => status === "running", "?passive=1");
  expect(await keptNotes(tenant)).toEqual(new Set(["before"]));
  expectNoSecond(tenant);
});

test.concurrent("accepts a restart whose start fails, logs the failure, and starts the gateway later", async ({
  open,
}) => {
  const { tenant, proxy } = await open(LONGER_THAN_A_START);
  proxy.fail(START);
  const restarted = await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  expect(restarted.status).toBe(202);
  expect(tenant.processes("gateway")).toEqual([]);
  expect(await adminLog(tenant)).toContain("restart.start-failed");
  proxy.fail();
  await running(tenant);
  expect(await keptNotes(tenant)).toEqual(new Set(["before"]));
});
