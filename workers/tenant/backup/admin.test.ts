/** A state of unknown origin, and what administrators can do about it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { type DoctorReport, doctorReport } from "#workers/contracts/tenant/doctor.ts";
import { STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import {
  ADMIN,
  addNote,
  adminLog,
  alter,
  backUp,
  backupReportOf,
  empty,
  failures,
  listed,
  notes,
  requestBackup,
  running,
  tick,
} from "../testing/backup-tenant.ts";
import { eventually, type Tenant } from "../testing/harness.ts";
import { during } from "../testing/sleeping-tenant.ts";
import { test as base } from "../testing/test.ts";

const post = (tenant: Tenant, path: string, body?: unknown) =>
  tenant.fetch(`/api/admin/gateway/${path}`, {
    method: "POST",
    headers: ADMIN,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const test = base
  .extend("tenant", async ({ openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    return tenant;
  })
  // A tenant with a backup, whose state has lost its marker without the Worker's knowledge.
  .extend("unmarked", async ({ tenant }) => {
    await addNote(tenant, "in the backup");
    const { id } = await backUp(tenant);
    await addNote(tenant, "since then");
    rmSync(join(tenant.root, "state", STATE_MARKER_FILE));
    return { tenant, id };
  });

test.concurrent("reports failing backups after the next tick in status, log and metrics while the gateway is healthy", async ({
  unmarked: { tenant },
}) => {
  expect((await backupReportOf(tenant)).trouble).toBeUndefined();
  await tenant.restartWorker();
  await tick(tenant);
  const { trouble, state } = await eventually(async () => {
    const report = await backupReportOf(tenant);
    return report.trouble !== undefined && report;
  });
  expect(state).toBe("unknown");
  expect(trouble).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("/api/admin/gateway/backup/accept"),
  });
  expect(Date.now() - Date.parse(trouble?.since ?? "")).toBeLessThan(60_000);
  await eventually(() => failures(tenant).includes("refused"));
  expect(await adminLog(tenant)).toContain("backup.refused");
  expect(await tenant.health("?passive=1")).toMatchObject({ status: "running", backupFailed: true });
});

test.concurrent("accepts the state: backs it up immediately and continues with it", async ({
  unmarked: { tenant, id },
}) => {
  expect((await requestBackup(tenant)).status).toBe(409);
  expect((await tenant.health("?passive=1")).backupFailed).toBe(true);
  const accepted = await post(tenant, "backup/accept");
  expect(accepted.status).toBe(201);
  const newest = JSON.parse(await accepted.text()).id;
  expect(newest).not.toBe(id);
  const report = await backupReportOf(tenant);
  expect(report).toMatchObject({ state: "known" });
  expect(report.trouble).toBeUndefined();
  expect((await tenant.health("?passive=1")).backupFailed).toBeUndefined();
  expect(report.backups.slice(0, 2).map((backup) => backup.id)).toEqual([newest, id]);
  await backUp(tenant);
  await empty(tenant);
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["in the backup", "since then"]);
});

test.concurrent("the gateway's doctor finds what is broken, and repairs it after a backup", async ({ tenant }) => {
  const doctor = async (): Promise<DoctorReport> =>
    doctorReport.parse(await (await tenant.fetch("/api/admin/gateway/doctor", { headers: ADMIN })).json());
  const ended = () => eventually(async () => (await doctor()).run?.state !== "running" && doctor());
  expect(
    (await tenant.fetch("/api/admin/gateway/doctor", { headers: { "X-Platform-Role": "BASE_USER" } })).status,
  ).toBe(403);
  await addNote(tenant, "kept");
  writeFileSync(join(tenant.root, "state/notes/broken.json"), "{");
  expect((await post(tenant, "doctor")).status).toBe(202);
  const { run, findings } = await ended();
  expect(run).toMatchObject({ kind: "check", state: "done" });
  expect(findings).toMatchObject([{ check: "reference/notes", severity: "error" }]);
  expect((await post(tenant, "doctor/repair")).status).toBe(202);
  const repaired = await ended();
  expect(repaired).toMatchObject({ run: { kind: "repair", state: "done" }, findings: [] });
  expect(await listed(tenant)).toContain(repaired.run?.backup);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["kept"]);
});

test.concurrent("accepts a state whose marker is invalid", async ({ unmarked: { tenant } }) => {
  writeFileSync(join(tenant.root, "state", STATE_MARKER_FILE), "{");
  expect((await requestBackup(tenant)).status).toBe(409);
  expect((await post(tenant, "backup/accept")).status).toBe(201);
  expect((await requestBackup(tenant)).status).toBe(201);
});

describe.concurrent("restores a chosen backup", () => {
  test("instead of a state of unknown origin, which is backed up first", async ({ unmarked: { tenant, id } }) => {
    const restored = await post(tenant, "restore", { backup: id });
    expect(restored.status).toBe(200);
    const { present } = JSON.parse(await restored.text());
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(await notes(tenant)).toEqual(["in the backup"]);
    expect((await requestBackup(tenant)).status).toBe(201);
    expect((await post(tenant, "restore", { backup: present.id })).status).toBe(200);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["in the backup", "since then"]);
  });

  test("even when newer backups exist, and keeps it afterwards", async ({ tenant }) => {
    await addNote(tenant, "first");
    const { id } = await backUp(tenant);
    await addNote(tenant, "second");
    // Concurrent calls start nothing in between.
    const [restored] = await Promise.all([
      post(tenant, "restore", { backup: id }),
      during(3_000, () => Promise.all([tenant.health(), tenant.fetch("/api/notes")])),
    ]);
    expect(restored.status).toBe(200);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first"]);
    expect(tenant.processes("gateway")).toHaveLength(1);
    // Before another backup is created.
    await empty(tenant);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first"]);
    await addNote(tenant, "third");
    await backUp(tenant);
    await empty(tenant);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first", "third"]);
  });

  test("when the sandbox sleeps", async ({ tenant }) => {
    await addNote(tenant, "first");
    const { id } = await backUp(tenant);
    await addNote(tenant, "second");
    await backUp(tenant);
    await empty(tenant);
    expect((await post(tenant, "restore", { backup: id })).status).toBe(200);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first"]);
  });

  test("but refuses a missing or damaged backup, and keeps the present state when it cannot be backed up", async ({
    tenant,
  }) => {
    await addNote(tenant, "first");
    const { id } = await backUp(tenant);
    expect((await post(tenant, "restore", { backup: "none" })).status).toBe(404);
    expect((await post(tenant, "restore", {})).status).toBe(400);
    const damaged = await backUp(tenant);
    await alter(tenant, `backups/${damaged.id}/archive.tar.gz`, (bytes) => Buffer.alloc(bytes.length));
    const refused = await post(tenant, "restore", { backup: damaged.id });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("damaged")]);
    await running(tenant);
    // SQLite cannot copy this file.
    writeFileSync(join(tenant.root, "state/broken.sqlite"), `SQLite format 3\0${"x".repeat(5_000)}`);
    await addNote(tenant, "second");
    const before = await listed(tenant);
    expect((await post(tenant, "restore", { backup: id })).status).toBe(409);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first", "second"]);
    expect(await listed(tenant)).toEqual(before);
    expect((await post(tenant, "restore", { backup: id, discardPresent: true })).status).toBe(200);
    await running(tenant);
    expect(await notes(tenant)).toEqual(["first"]);
    expect(await adminLog(tenant)).toContain("restore.present-discarded");
  });
});

test.concurrent("requires an administrator for every route", async ({ unmarked: { tenant, id } }) => {
  const headers = { "X-Platform-Role": "BASE_USER" };
  expect((await tenant.fetch("/api/admin/gateway/backups", { headers })).status).toBe(403);
  for (const path of ["backup/accept", "restore"]) {
    const body = JSON.stringify({ backup: id });
    expect((await tenant.fetch(`/api/admin/gateway/${path}`, { method: "POST", headers, body })).status).toBe(403);
    expect((await tenant.fetch(`/api/admin/gateway/${path}`, { headers: ADMIN })).status).toBe(405);
  }
  expect(await notes(tenant)).toEqual(["in the backup", "since then"]);
});
