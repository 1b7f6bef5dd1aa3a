/** Damaged backups of a tenant without other backups. */
import { expect } from "vitest";
import {
  ADMIN,
  addNote,
  adminLog,
  alter,
  archives,
  backUp,
  backupReportOf,
  empty,
  failures,
  leaveUnmarkedState,
  listed,
  notes,
  requestBackup,
  running,
} from "../../testing/backup-tenant.ts";
import { eventually } from "../../testing/harness.ts";
import { test } from "../../testing/test.ts";

const zeros = (bytes: Buffer): Buffer => Buffer.alloc(bytes.length);

test.concurrent.for([
  ["altered in the bucket", "archive.tar.gz", zeros],
  ["cut off", "archive.tar.gz", (bytes: Buffer) => bytes.subarray(0, -9)],
  ["without a manifest that can be read", "manifest.json", () => Buffer.from("{")],
] as const)(
  "marks the only backup %s as damaged, starts a new state and keeps the archive",
  async ([_, file, change], { openTenant }) => {
    const tenant = await openTenant();
    await running(tenant);
    const { id } = await backUp(tenant);
    for (const other of (await listed(tenant)).filter((one) => one !== id))
      await tenant.bucket.delete(`backups/${other}/manifest.json`, `backups/${other}/archive.tar.gz`);
    await alter(tenant, `backups/${id}/${file}`, change);
    const archive = async () => (await tenant.bucket.get(`backups/${id}/archive.tar.gz`))?.content;
    const kept = await archive();
    await empty(tenant);

    const again = await running(tenant);
    expect(again.restoreStatus).toEqual({ hadBackup: false, restored: false });
    expect(again.startup.ok).toBe(true);
    await addNote(tenant, "since then");
    expect((await requestBackup(tenant)).status).toBe(201);
    expect(await adminLog(tenant)).toContain(`restore.damaged\\",\\"id\\":\\"${id}`);
    await eventually(() => failures(tenant).includes("damaged"));
    const report = await backupReportOf(tenant);
    expect(report.damaged).toEqual([expect.objectContaining({ id, reason: expect.any(String) })]);
    expect(report.backups.map((backup) => backup.id)).not.toContain(id);
    expect(kept?.length).toBeGreaterThan(0);
    expect(await archive()).toEqual(kept);

    // Later backups are restored, and a Worker that starts cold knows which backups are damaged.
    await empty(tenant);
    await tenant.restartWorker();
    expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
    expect(await notes(tenant)).toEqual(["since then"]);
    expect((await backupReportOf(tenant)).damaged.map((backup) => backup.id)).toEqual([id]);
  },
);

test.concurrent("keeps a state of unknown origin, and startup waits, when the only backup is damaged", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  await leaveUnmarkedState(tenant);
  await tenant.bucket.put("backups/1/manifest.json", "{}");
  const waiting = await running(tenant);
  expect(waiting.restoreStatus).toEqual({ hadBackup: true, restored: false });
  expect((await requestBackup(tenant)).status).toBe(409);
  await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  expect((await archives(tenant)).length).toBe(0);
});
