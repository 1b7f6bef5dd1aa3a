/** A Worker that dies during a backup or a restore: the last complete backup is restored. */
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { BACKUP_PREFIX, MANIFEST_FILE } from "#workers/contracts/tenant/backup.ts";
import {
  addNote,
  archives,
  backUp,
  crash,
  empty,
  listed,
  notes,
  requestBackup,
  running,
} from "../testing/backup-tenant.ts";
import { RESTORE, UPLOAD } from "../testing/engine-proxy.ts";
import { eventually, stateFiles, type Tenant } from "../testing/harness.ts";
import { test } from "../testing/test.ts";

const RESTORED = { hadBackup: true, restored: true };
const isUpload = (call: string) => call === UPLOAD;
const isRestore = (call: string) => call === RESTORE;

/** Empties the sandbox, and expects the complete backup to be restored. */
async function expectKept(tenant: Tenant): Promise<void> {
  await empty(tenant);
  expect((await running(tenant)).restoreStatus).toEqual(RESTORED);
  expect(await notes(tenant)).toEqual(["kept"]);
  expect(existsSync(join(tenant.root, "state/large"))).toBe(false);
}

test.concurrent("lists nothing and restores the previous backup when killed during an upload", async ({
  openProxied,
}) => {
  const { tenant, proxy } = await openProxied();
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);
  await addNote(tenant, "not in a backup");
  writeFileSync(join(tenant.root, "state/large"), randomBytes(5_000_000));
  const stalled = proxy.stall(isUpload);
  const lost = requestBackup(tenant).catch(() => undefined);
  await eventually(() => stalled.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  stalled.release();
  expect(await listed(tenant)).toEqual(before);
  await expectKept(tenant);
});

test.concurrent("ignores the archive and restores the previous backup when killed before the manifest was written", async ({
  openTenant,
}) => {
  const tenant = await openTenant();
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);
  await addNote(tenant, "not in a complete backup");
  const { id } = await backUp(tenant);
  // The archive is stored, and the manifest is not written yet.
  await tenant.bucket.delete(`${BACKUP_PREFIX}${id}/${MANIFEST_FILE}`);
  await tenant.restartWorker();
  expect(await listed(tenant)).toEqual(before);
  expect(await archives(tenant)).toHaveLength(before.length + 1);
  await expectKept(tenant);
});

test.concurrent("restores completely when the previous Worker was killed during a restore", async ({ openProxied }) => {
  const { tenant, proxy } = await openProxied();
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  await empty(tenant);
  let restores = 0;
  const held = proxy.hold((call) => isRestore(call) && ++restores === 1);
  const lost = tenant.health().catch(() => undefined);
  await eventually(() => held.calls.length === 1);
  await tenant.restartWorker();
  await lost;
  expect(stateFiles(tenant)).toEqual([]);
  expect((await running(tenant)).restoreStatus).toEqual(RESTORED);
  await addNote(tenant, "newer");

  // The dead Worker's call arrives late.
  held.release();
  await eventually(() => proxy.answers.filter(isRestore).length === 2);
  expect(await notes(tenant)).toEqual(["kept", "newer"]);
  await crash(tenant);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["kept", "newer"]);
});
