import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { HealthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import {
  ADMIN,
  addNote,
  adminLog,
  alter,
  archives,
  backUp,
  crash,
  empty,
  listed,
  notes,
  requestBackup,
  running,
  settled,
  tick,
} from "../testing/backup-tenant.ts";
import { eventually, stateFiles, type Tenant } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";

type Bindings = Record<string, string>;

const test = base
  .extend("open", ({ directory, openTenant }) => {
    return (bindings: Bindings = {}) => openTenant(undefined, { directory, bindings });
  })
  // The same tenant with a Worker that starts cold.
  .extend("reopen", ({ open }) => async (tenant: Tenant, bindings?: Bindings) => {
    await tenant.stop();
    return open(bindings);
  });

const flags = ({ startup, readiness, liveness }: HealthSnapshot) => [startup.ok, readiness.ok, liveness.ok];

describe.concurrent("restore", () => {
  test("restores the state of an emptied sandbox before startup succeeds", async ({ open }) => {
    const tenant = await open();
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: false, restored: false });
    await addNote(tenant, "remember me");
    await tenant.fetch("/");
    const manifest = await backUp(tenant);
    expect(manifest.owner).toEqual({ tenant: "acme", environment: "development" });
    await addNote(tenant, "after the backup");
    await empty(tenant);
    const dead = await tenant.health("?passive=1");
    expect(dead.status).toBe("stopped");
    const back = await running(tenant);
    expect(back.restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(flags(back)).toEqual([true, true, true]);
    expect(await notes(tenant)).toEqual(["remember me"]);
    expect(await (await tenant.fetch("/")).text()).toContain('<span id="visits">2</span>');
    expect(await adminLog(tenant)).toContain("restore.complete");

    const { id, createdAt } = manifest;
    const restores = [
      { at: expect.any(String), backup: { id, createdAt, bytes: manifest.archive.size }, endedAt: expect.any(String) },
    ];
    expect((await tenant.health("?passive=1")).unexpectedRestores).toEqual(restores);
    // It stays reported, without another one, when the gateway restarts with its state.
    await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
    await running(tenant);
    await crash(tenant);
    await tenant.restartWorker();
    expect((await running(tenant)).unexpectedRestores).toEqual(restores);
  });

  test("restores after a cold start on active calls only, and confirms an existing state", async ({ open, reopen }) => {
    let tenant = await open();
    await running(tenant);
    await addNote(tenant, "remember me");
    await backUp(tenant);
    await empty(tenant);
    tenant = await reopen(tenant);
    for (let i = 0; i < 3; i++) {
      const cold = await tenant.health("?passive=1");
      expect(cold).toMatchObject({ status: "stopped", restoreStatus: { hadBackup: true, restored: false } });
    }
    expect(stateFiles(tenant)).toEqual([]);
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(await notes(tenant)).toEqual(["remember me"]);

    await addNote(tenant, "newer than the backup");
    tenant = await reopen(tenant);
    const confirmed = await running(tenant);
    expect(confirmed.restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(flags(confirmed)).toEqual([true, true, true]);
    expect(await notes(tenant)).toEqual(["remember me", "newer than the backup"]);
  });

  test.for([
    ["altered", "archive.tar.gz", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -9), Buffer.alloc(9)])],
    ["truncated", "archive.tar.gz", (bytes: Buffer) => bytes.subarray(0, -9)],
    ["left with a manifest that cannot be read", "manifest.json", () => Buffer.from("{")],
  ] as const)(
    "restores the previous backup when the newest was %s, and logs it",
    async ([_, file, change], { open }) => {
      const tenant = await open();
      await running(tenant);
      await addNote(tenant, "first");
      const before = await backUp(tenant);
      await addNote(tenant, "second");
      const newest = await backUp(tenant);
      await alter(tenant, `backups/${newest.id}/${file}`, change);
      await empty(tenant);
      const back = await running(tenant);
      expect(back.restoreStatus).toEqual({ hadBackup: true, restored: true });
      expect(back.startup.ok).toBe(true);
      expect(await notes(tenant)).toEqual(["first"]);
      expect((await tenant.health("?passive=1")).unexpectedRestores).toMatchObject([
        { backup: { id: before.id }, endedAt: expect.any(String), damaged: newest.createdAt },
      ]);
      const log = await adminLog(tenant);
      expect(log).toContain(`restore.damaged\\",\\"id\\":\\"${newest.id}`);
      expect(log).toContain(`restore.complete\\",\\"id\\":\\"${before.id}`);
    },
  );

  test("refuses another tenant's backup despite its listing", async ({ open, reopen }) => {
    let tenant = await open({ TENANT_SLUG: "globex" });
    await running(tenant);
    await addNote(tenant, "a secret of globex");
    const { id } = await backUp(tenant);
    await empty(tenant);
    tenant = await reopen(tenant);
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: false, restored: false });
    expect(await notes(tenant)).toEqual([]);
    expect(await adminLog(tenant)).toContain("backup.of-another-owner");

    const { bucket } = tenant;
    const mine = await backUp(tenant);
    const metadata = (await bucket.get(`backups/${mine.id}/manifest.json`))?.customMetadata;
    for (const own of (await listed(tenant)).filter((one) => one !== id))
      await bucket.delete(`backups/${own}/manifest.json`, `backups/${own}/archive.tar.gz`);
    const forged = await bucket.get(`backups/${id}/manifest.json`);
    await bucket.put(`backups/${id}/manifest.json`, forged?.content ?? "", metadata);
    await empty(tenant);
    expect((await running(tenant)).restoreStatus.restored).toBe(false);
    expect(await notes(tenant)).toEqual([]);
    expect(await adminLog(tenant)).toContain("belongs to another owner");
  });

  test("neither replaces nor backs up a state of unknown origin", async ({ open }) => {
    const tenant = await open();
    await running(tenant);
    await addNote(tenant, "in the backup");
    await backUp(tenant);
    const ids = await listed(tenant);
    await empty(tenant);
    writeFileSync(join(tenant.root, "state/unmarked"), "unmarked");
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: false });
    expect(stateFiles(tenant)).toContain("unmarked");
    expect(await notes(tenant)).toEqual([]);
    expect((await requestBackup(tenant)).status).toBe(409);
    expect(await listed(tenant)).toEqual(ids);
  });
});

describe.concurrent("backup", () => {
  test("backs up once an interval on active calls, never on passive calls, and on the tick when due", async ({
    open,
    reopen,
  }) => {
    let tenant = await open();
    await running(tenant);
    await settled(tenant);
    for (let i = 0; i < 5; i++) await tenant.health();
    await tick(tenant);
    expect(await listed(tenant)).toHaveLength(1);

    tenant = await reopen(tenant, { BACKUP_INTERVAL_SECONDS: "1" });
    await running(tenant);
    await eventually(async () => (await listed(tenant)).length > 1);
    // Joins the backup of the last active call: a slow start has several.
    await backUp(tenant);
    const count = (await listed(tenant)).length;
    // Two intervals pass.
    await delay(2_000);
    for (let i = 0; i < 5; i++) await tenant.health("?passive=1");
    expect(await listed(tenant)).toHaveLength(count);
    expect((await tick(tenant)).status).toBe(204);
    await eventually(async () => (await listed(tenant)).length === count + 1);
  });

  test("reports files that cannot be archived", async ({ open }) => {
    const tenant = await open();
    await running(tenant);
    execFileSync("mkfifo", [join(tenant.root, "state/pipe")]);
    const leftOut = { count: 1, first: [{ path: "pipe", kind: "fifo" }] };
    expect((await backUp(tenant)).archive.leftOut).toEqual(leftOut);
    expect(await adminLog(tenant)).toContain("backup.left-out");
  });

  test("removes the oldest when the tenant's limit is reached, but never the newest", async ({ open }) => {
    const tenant = await open({ BACKUP_STORAGE_BYTES: "1" });
    await running(tenant);
    for (let i = 0; i < 3; i++) {
      const { id } = await backUp(tenant);
      expect(await listed(tenant)).toEqual([id]);
      expect(await archives(tenant)).toEqual([`backups/${id}/archive.tar.gz`]);
    }
  });

  test("requires an administrator, and a state", async ({ open }) => {
    const tenant = await open();
    expect((await tenant.fetch("/api/admin/gateway/backup", { method: "POST" })).status).toBe(403);
    expect((await tenant.fetch("/api/admin/gateway/backup", { headers: ADMIN })).status).toBe(405);
    expect((await requestBackup(tenant)).status).toBe(409);
    expect(tenant.processes()).toEqual([]);
  });
});
