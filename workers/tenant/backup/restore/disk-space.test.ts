/** A backup for which the sandbox's disk has no room. */
import { expect } from "vitest";
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
  running,
} from "../../testing/backup-tenant.ts";
import { eventually, stateFiles } from "../../testing/harness.ts";
import { during } from "../../testing/sleeping-tenant.ts";
import { test } from "../../testing/test.ts";

test("reports a backup without room, does not unpack it, and stops after three attempts until an administrator requests another", async ({
  openUpgraded,
}) => {
  const { tenant, setImage } = await openUpgraded({ version: "1.0.0" });
  await running(tenant);
  await addNote(tenant, "kept");
  const { id, archive } = await backUp(tenant);
  expect(archive.unpackedSize).toBeGreaterThan(0);
  const ids = await listed(tenant);
  const declareSize = (size: number) =>
    alter(tenant, `backups/${id}/manifest.json`, (bytes) => {
      const manifest = JSON.parse(bytes.toString());
      return Buffer.from(JSON.stringify({ ...manifest, archive: { ...manifest.archive, unpackedSize: size } }));
    });
  await declareSize(1e14);
  await empty(tenant);
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("disk") === true);
  expect(held.status).toBe("stopped");
  expect((await tenant.health()).restoreStatus).toEqual({ hadBackup: true, restored: false });
  const tries = () => failures(tenant).filter((failure) => failure === "no-room").length;
  await eventually(async () => {
    await tenant.health();
    return tries() === 3;
  });
  // Longer than another attempt would take.
  await during(20_000, () => tenant.health());
  expect(tries()).toBe(3);
  expect(tenant.processes()).toEqual([]);
  expect(stateFiles(tenant)).toEqual([]);
  // No older backup is restored instead.
  expect(await listed(tenant)).toEqual(ids);
  expect(await adminLog(tenant)).toContain("restore.no-room");
  expect((await backupReportOf(tenant)).trouble).toMatchObject({
    kind: "no-room",
    reason: expect.stringContaining("are free"),
  });

  const { remedy, nextAttempt = "" } = (await backupReportOf(tenant)).trouble ?? {};
  expect(remedy).toContain("larger plan");
  expect(Date.parse(nextAttempt)).toBeGreaterThan(Date.now());

  await tenant.restartWorker();
  await during(5_000, () => tenant.health());
  expect(tries()).toBe(3);
  // Another container is tried immediately: here with another image, since a test cannot change the disk.
  setImage({ version: "1.0.1" });
  await eventually(async () => {
    await tenant.health();
    return tries() > 3;
  });
  await declareSize(archive.unpackedSize ?? 0);
  await tenant.fetch("/api/admin/gateway/restart", { method: "POST", headers: ADMIN });
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect((await backupReportOf(tenant)).trouble).toBeUndefined();
});
