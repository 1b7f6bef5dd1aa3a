/** The gateway version of a backup's state, and images with an older gateway. */
import { expect } from "vitest";
import {
  ADMIN,
  addNote,
  adminLog,
  alter,
  backUp,
  backupReportOf,
  crash,
  empty,
  failures,
  listed,
  notes,
  running,
  statusOf,
} from "../../testing/backup-tenant.ts";
import { eventually, stateFiles, type Tenant } from "../../testing/harness.ts";
import { during } from "../../testing/sleeping-tenant.ts";
import { test } from "../../testing/test.ts";
import { GATEWAY } from "../../testing/upgraded-tenant.ts";

const restore = (tenant: Tenant, backup: string) =>
  tenant.fetch("/api/admin/gateway/restore", { method: "POST", headers: ADMIN, body: JSON.stringify({ backup }) });

test.concurrent("records the gateway's version in manifest and list, and accepts a gateway without a version", async ({
  openUpgraded,
}) => {
  const { tenant } = await openUpgraded({ version: "1.2.3" });
  await running(tenant);
  await addNote(tenant, "kept");
  const { id, archive } = await backUp(tenant);
  const gateway = { name: GATEWAY, version: "1.2.3" };
  expect(archive.gateway).toEqual(gateway);
  expect((await backupReportOf(tenant)).backups[0]).toMatchObject({ id, gateway });
  // As with an earlier image.
  await alter(tenant, `backups/${id}/manifest.json`, (bytes) => {
    const { archive, ...manifest } = JSON.parse(bytes.toString());
    return Buffer.from(JSON.stringify({ ...manifest, archive: { ...archive, gateway: undefined } }));
  });
  expect((await backupReportOf(tenant)).backups.map((backup) => backup.id)).toContain(id);
});

test.concurrent("does not start an image with a newer gateway's state, keeps the state, and restores it with a suitable image", async ({
  openUpgraded,
}) => {
  const { tenant, setImage } = await openUpgraded({ version: "2.0.0" });
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);
  await empty(tenant);
  setImage({ version: "1.0.0" });
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("newer than") === true);
  expect(held.readiness.error).toContain(
    "is of reference-gateway 2.0.0, newer than this image's 1.0.0: deploy an image with",
  );
  expect(held.status).toBe("stopped");
  await during(5_000, () => tenant.health());
  expect([tenant.processes(), stateFiles(tenant), await listed(tenant)]).toEqual([[], [], before]);
  const trouble = { kind: "newer-state", reason: expect.stringContaining("2.0.0") };
  expect((await backupReportOf(tenant)).trouble).toMatchObject({
    ...trouble,
    remedy: expect.stringContaining("Deploy an image"),
  });
  expect((await statusOf(tenant)).trouble).toMatchObject(trouble);
  expect(await adminLog(tenant)).toContain("state.newer");
  await eventually(() => failures(tenant).includes("newer-state"));
  setImage({ version: "2.0.1" });
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect((await backupReportOf(tenant)).trouble).toBeUndefined();
});

test.concurrent("does not start an older image when the container keeps its disk", async ({ openUpgraded }) => {
  const { tenant, setImage } = await openUpgraded({ version: "2.0.0" });
  await running(tenant);
  await addNote(tenant, "kept");
  await crash(tenant);
  setImage({ version: "1.0.0" });
  await tenant.until(({ readiness }) => readiness.error?.includes("newer than this image's 1.0.0") === true);
  expect((await statusOf(tenant)).trouble?.kind).toBe("newer-state");
  setImage({ version: "2.0.0" });
  await running(tenant);
  expect(await notes(tenant)).toEqual(["kept"]);
  expect((await statusOf(tenant)).trouble).toBeUndefined();
});

test.concurrent("refuses to restore a newer backup before any change, and restores an older one", async ({
  openUpgraded,
}) => {
  const { tenant, setImage } = await openUpgraded({ version: "1.0.0" });
  await running(tenant);
  await addNote(tenant, "old");
  const old = await backUp(tenant);
  await crash(tenant);
  setImage({ version: "2.0.0" });
  await running(tenant);
  await addNote(tenant, "new");
  const newer = await backUp(tenant);
  await empty(tenant);
  setImage({ version: "1.0.0" });
  await tenant.until(({ readiness }) => readiness.error?.includes("newer than") === true);
  expect((await restore(tenant, old.id)).status).toBe(200);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["old"]);
  const gateways = () => tenant.processes("gateway").map(({ pid }) => pid);
  const gateway = gateways();
  const before = await listed(tenant);
  const refused = await restore(tenant, newer.id);
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringMatching(
      /2\.0\.0, newer than this image's 1\.0\.0: deploy an image with 2\.0\.0 or newer, or restore a backup of 1\.0\.0/,
    ),
  ]);
  expect(gateway).toHaveLength(1);
  expect(gateways()).toEqual(gateway);
  expect(await listed(tenant)).toEqual(before);
  expect(before).toContain(newer.id);
});
