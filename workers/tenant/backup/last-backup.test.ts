/** A container that receives TERM, as minutes before the platform replaces or moves it. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { probeConfinement } from "@tenantry/edge/containers";
import { expect, vi } from "vitest";
import { gatewayProcessImage } from "../container/process-image.ts";
import {
  ADMIN,
  addNote,
  adminLog,
  backUp,
  crash,
  listed,
  notes,
  running,
  settled,
  tick,
} from "../testing/backup-tenant.ts";
import { firstProcessOf } from "../testing/first-process.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { gatewayOf } from "../testing/sleeping-tenant.ts";
import { test } from "../testing/test.ts";
import { NothingToBackUp } from "./errors.ts";
import { LastBackup } from "./last-backup.ts";

/** Without namespaces, a container has no first process. */
const isConfined = (await probeConfinement(gatewayProcessImage())).kind === "namespaces";

/** Creates a file that is in this container but in no backup. */
const mark = (tenant: Tenant) => writeFileSync(join(tenant.root, "logs/only-here"), "");
const isSameContainer = (tenant: Tenant) => existsSync(join(tenant.root, "logs/only-here"));
const status = async (tenant: Tenant) =>
  JSON.parse(await (await tenant.fetch("/api/admin/gateway/status", { headers: ADMIN })).text());

/** Sends TERM to the first process, and waits until it has created the directory. */
async function tellToEnd(tenant: Tenant, first = firstProcessOf(tenant)): Promise<void> {
  process.kill(first, "SIGTERM");
  await eventually(() => existsSync(join(tenant.root, "run/ending")));
}

test.skipIf(!isConfined)(
  "is backed up and released at the next tick, and the gateway starts elsewhere with the last changes",
  async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    await settled(tenant);
    const before = await listed(tenant);
    mark(tenant);
    await addNote(tenant, "in no backup yet");
    const gateway = gatewayOf(tenant);
    await tellToEnd(tenant);
    // It waits for the next health check, and continues meanwhile.
    expect(await notes(tenant)).toEqual(["in no backup yet"]);
    expect([gatewayOf(tenant), isSameContainer(tenant)]).toEqual([gateway, true]);
    expect((await status(tenant)).sandbox).toBe("ending");

    await tick(tenant);
    await eventually(() => !isSameContainer(tenant));
    // The tick is enough.
    await tenant.until(({ status }) => status === "running", "?passive=1");
    expect((await listed(tenant)).length).toBe(before.length + 1);
    expect(await notes(tenant)).toEqual(["in no backup yet"]);
    expect((await status(tenant)).sandbox).toBe("awake");
    const log = await adminLog(tenant);
    for (const event of ["container.ending", "backup.complete", "container.left", "restore.complete"])
      expect(log).toContain(event);
    expect(log).not.toContain("gateway.died");
    expect((await tenant.health("?passive=1")).unexpectedRestores).toBeUndefined();
  },
);

test.skipIf(!isConfined).for(["a visit", "a restart"] as const)(
  "that is killed is reported with what is lost when its gateway starts again by %s",
  async (start, { openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    await addNote(tenant, "kept");
    const { id } = await backUp(tenant);
    await addNote(tenant, "lost");
    const began = new Date().toISOString();
    process.kill(firstProcessOf(tenant), "SIGKILL");
    await tenant.until(({ status }) => status === "stopped", "?passive=1");
    if (start === "a restart") await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
    const { unexpectedRestores = [] } = await running(tenant);
    expect(await notes(tenant)).toEqual(["kept"]);
    expect(unexpectedRestores).toEqual([
      { at: expect.any(String), backup: expect.objectContaining({ id }), endedAt: expect.any(String) },
    ]);
    expect(unexpectedRestores[0]?.endedAt?.localeCompare(began)).toBe(1);
  },
);

test.skipIf(!isConfined)("is released without a start when no gateway runs", async ({ openTenant }) => {
  const tenant = await openTenant();
  await running(tenant);
  await backUp(tenant);
  mark(tenant);
  const before = await listed(tenant);
  const first = firstProcessOf(tenant);
  await crash(tenant);
  await tellToEnd(tenant, first);
  await tick(tenant);
  await eventually(() => !isSameContainer(tenant));
  for (let minute = 0; minute < 3; minute++) await tick(tenant);
  expect((await tenant.health("?passive=1")).status).toBe("stopped");
  expect(tenant.processes()).toEqual([]);
  expect((await listed(tenant)).length).toBe(before.length + 1);
});

test.skipIf(!isConfined)("is not waited for when the engine ends", async ({ openTenant }) => {
  const tenant = await openTenant();
  await running(tenant);
  await addNote(tenant, "kept on the disk");
  await tellToEnd(tenant);
  const began = Date.now();
  await tenant.restartEngine();
  // The first process would wait for ten minutes.
  expect(Date.now() - began).toBeLessThan(20_000);
  await running(tenant);
  expect(existsSync(join(tenant.root, "run/ending"))).toBe(false);
  expect(await notes(tenant)).toEqual(["kept on the disk"]);
});

function openLastBackup(backUp: () => Promise<never>) {
  const recorded: string[] = [];
  const done: string[] = [];
  const work: Promise<unknown>[] = [];
  const last = new LastBackup({
    maker: { settle: async () => {}, check: async () => {}, backUp },
    container: {
      isEnding: async () => true,
      endGateway: async () => done.push("ended"),
      release: async () => done.push("released"),
    },
    gateway: {
      isBusy: false,
      restart: async (before) => {
        await before();
        done.push("started");
      },
    },
    forgetStatus: () => {},
    record: (event) => recorded.push(event),
    waitUntil: (one) => work.push(one),
  });
  const observe = async (ending: boolean, ran = true) => {
    last.observe(ending, ran);
    await Promise.all(work);
  };
  return { observe, recorded, done };
}

test("keeps its gateway when the backup fails, and retries a minute later", async () => {
  vi.useFakeTimers();
  try {
    const { observe, recorded, done } = openLastBackup(() => Promise.reject(new Error("the bucket is away")));
    await observe(true);
    await observe(true);
    expect(done).toEqual(["ended", "started"]);
    expect(recorded).toEqual(["container.ending", "container.not-left"]);
    vi.advanceTimersByTime(60_000);
    await observe(true);
    expect(done).toEqual(["ended", "started", "ended", "started"]);
  } finally {
    vi.useRealTimers();
  }
});

test("is released without a backup when no state exists", async () => {
  const { observe, recorded, done } = openLastBackup(() => Promise.reject(new NothingToBackUp()));
  await observe(true, false);
  expect(done).toEqual(["ended", "released"]);
  expect(recorded).toEqual(["container.ending", "container.left"]);
});
