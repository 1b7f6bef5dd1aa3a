/** Old backups: an expired one counts as missing, other old ones are restored, and kept ones are written again before they expire. */
import { expect } from "vitest";
import { ARCHIVE_FILE, BACKUP_PREFIX, KEPT_FILE, MANIFEST_FILE } from "#workers/contracts/tenant/backup.ts";
import { ADMIN, addNote, backUp, backupReportOf, empty, listed, notes, running } from "../../testing/backup-tenant.ts";
import { eventually, type TenantOptions } from "../../testing/harness.ts";
import { test as base } from "../../testing/test.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

// A tenant with one backup of this age in days, and an empty sandbox.
const test = base.extend("openWithOld", ({ openTenant }) => async (days: number, options?: TenantOptions) => {
  const tenant = await openTenant(undefined, options);
  await running(tenant);
  await addNote(tenant, "long ago");
  const { id } = await backUp(tenant);
  const { bucket } = tenant;
  for (const other of (await listed(tenant)).filter((one) => one !== id))
    await bucket.delete(`${BACKUP_PREFIX}${other}/${MANIFEST_FILE}`);
  const key = `${BACKUP_PREFIX}${id}/${MANIFEST_FILE}`;
  const manifest = await bucket.get(key);
  const createdAt = new Date(Date.now() - days * DAY_MS).toISOString();
  const text = JSON.stringify({ ...JSON.parse(String(manifest?.content)), createdAt });
  await bucket.put(key, text, { ...manifest?.customMetadata, createdAt });
  await empty(tenant);
  // Clears the Worker's cache of the bucket.
  await tenant.restartWorker();
  return { tenant, id };
});

test.concurrent("does not restore an expired backup that is still listed", async ({ openWithOld }) => {
  const { tenant, id } = await openWithOld(366);
  const cold = await tenant.health("?passive=1");
  expect(cold.restoreStatus).toEqual({ hadBackup: false, restored: false });
  const begun = await running(tenant);
  expect(begun.restoreStatus).toEqual({ hadBackup: false, restored: false });
  expect(begun.startup.ok).toBe(true);
  expect(await notes(tenant)).toEqual([]);
  // It hides no newer backup, and the next one removes it.
  expect((await tenant.fetch("/api/admin/gateway/backup", { method: "POST", headers: ADMIN })).status).toBe(201);
  expect(await listed(tenant)).not.toContain(id);
});

test.concurrent("restores the last good backup after nearly a year, beyond the age limit of others", async ({
  openWithOld,
}) => {
  const { tenant } = await openWithOld(360);
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["long ago"]);
});

test.concurrent("uses the platform's number of days", async ({ openWithOld }) => {
  const { tenant } = await openWithOld(20, { bindings: { BACKUP_RETENTION_DAYS: "10" } });
  expect((await tenant.health("?passive=1")).restoreStatus.hadBackup).toBe(false);
});

test.concurrent("writes a kept backup again before the bucket deletes its objects, and restores it", async ({
  openTenant,
}) => {
  // The bucket is always about to delete them.
  const tenant = await openTenant(undefined, { bindings: { BACKUP_RETENTION_DAYS: "0.00000001" } });
  await running(tenant);
  await addNote(tenant, "kept");
  const { id } = await backUp(tenant);
  const order = (method: string, path: string, body: object) =>
    tenant.fetch(`/api/admin/gateway/${path}`, { method, headers: ADMIN, body: JSON.stringify(body) });
  expect((await order("PUT", `backups/${id}/kept`, { kept: true })).status).toBe(200);
  const keys = [KEPT_FILE, MANIFEST_FILE, ARCHIVE_FILE].map((file) => `${BACKUP_PREFIX}${id}/${file}`);
  const objects = () => Promise.all(keys.map((key) => tenant.bucket.get(key)));
  const times = () => Promise.all(keys.map((key) => tenant.bucket.writtenAt(key)));
  const [before, last] = [await objects(), Math.max(...(await times()))];
  await addNote(tenant, "later");
  await backUp(tenant);
  await eventually(async () => (await times()).every((at) => at > last));
  expect(await objects()).toEqual(before);
  const { backups } = await backupReportOf(tenant);
  expect(backups.find((one) => one.id === id)).toMatchObject({ kept: true });

  expect((await order("POST", "restore", { backup: id })).status).toBe(200);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["kept"]);
});
