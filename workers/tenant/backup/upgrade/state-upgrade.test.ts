/** Upgrades of a state by a newer gateway. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  ADMIN,
  addNote,
  adminLog,
  backUp,
  backupReportOf,
  crash,
  empty,
  listed,
  notes,
  requestBackup,
  running,
  statusOf,
} from "../../testing/backup-tenant.ts";
import { ARCHIVE, START } from "../../testing/engine-proxy.ts";
import { eventually, type Tenant } from "../../testing/harness.ts";
import { asleep, during } from "../../testing/sleeping-tenant.ts";
import { test as base } from "../../testing/test.ts";
import { GATEWAY } from "../../testing/upgraded-tenant.ts";

const OLD = { name: GATEWAY, version: "1.0.0" };
const NEW = { name: GATEWAY, version: "2.0.0" };

const upgrades = (tenant: Tenant): string => {
  const path = join(tenant.root, "state/upgrades");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
/** Orders the backup before a container is replaced. */
const order = (tenant: Tenant) => tenant.fetch("/api/internal/backup", { method: "POST" });
const post = (tenant: Tenant, path: string, body?: unknown) =>
  tenant.fetch(`/api/admin/gateway/${path}`, { method: "POST", headers: ADMIN, body: JSON.stringify(body) });

// A tenant of the old version with a backup of its note.
const test = base.extend("old", async ({ openUpgraded }) => {
  const opened = await openUpgraded(OLD);
  const { tenant } = opened;
  await running(tenant);
  await addNote(tenant, "kept");
  return { ...opened, backup: (await backUp(tenant)).id };
});

test.concurrent("has a backup or comes from one before the newer gateway uses it", async ({
  old: { tenant, setImage, backup },
}) => {
  await addNote(tenant, "since");
  await crash(tenant);
  setImage(NEW);
  await running(tenant);
  expect(upgrades(tenant)).toBe("1.0.0 to 2.0.0\n");
  const [before] = (await backupReportOf(tenant)).backups;
  expect(before).toMatchObject({ gateway: OLD });
  expect(before?.id).not.toBe(backup);
  expect((await statusOf(tenant)).upgrade).toBeUndefined();
  expect(await adminLog(tenant)).toMatch(/upgrade\.begun.*upgrade\.complete/s);
  expect((await backUp(tenant)).archive.gateway).toEqual(NEW);

  // The backup has the last changes. After its restore, the state is upgraded without another backup.
  expect((await post(tenant, "restore", { backup: before?.id })).status).toBe(200);
  await running(tenant);
  expect((await notes(tenant)).sort()).toEqual(["kept", "since"]);
  expect(upgrades(tenant)).toBe("1.0.0 to 2.0.0\n");
  expect((await backupReportOf(tenant)).backups[0]).toMatchObject({ gateway: OLD });
});

test.concurrent("does not start the newer gateway when the backup fails", async ({
  old: { tenant, proxy, setImage },
}) => {
  await crash(tenant);
  setImage(NEW);
  proxy.fail(ARCHIVE);
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("before its upgrade") === true);
  expect(held.readiness.error).toContain("the state is of reference-gateway 1.0.0, older than this image's 2.0.0");
  expect([upgrades(tenant), tenant.processes()]).toEqual(["", []]);
  proxy.fail();
  await running(tenant);
  expect(upgrades(tenant)).toBe("1.0.0 to 2.0.0\n");
});

test.concurrent("reports a failed upgrade with versions and backup, pauses, and restores the previous image's state", async ({
  old: { tenant, proxy, setImage, backup },
}) => {
  const before = await listed(tenant);
  await empty(tenant);
  setImage({ ...NEW, upgrade: "fails" });
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("the upgrade of the state") === true);
  expect(held.readiness.error).toContain(`the upgrade of the state from reference-gateway 1.0.0 to 2.0.0 failed`);
  expect(held.readiness.error).toMatch(new RegExp(`its doctor gave up.*deploy the previous image.*backup ${backup}`));
  const { upgrade } = await statusOf(tenant);
  expect(upgrade).toMatchObject({ state: "failed", from: OLD, to: NEW, backup });
  expect(upgrade?.failure?.message).toContain("with code 78 before it responded: its doctor gave up");
  expect(upgrade?.remedy).toContain(backup);
  expect(await adminLog(tenant)).toContain("upgrade.failed");
  const starts = () => proxy.calls.filter((call) => call === START).length;
  const started = starts();
  await during(15_000, () => tenant.health());
  expect(starts()).toBe(started);
  expect(upgrades(tenant)).toBe("1.0.0 to 2.0.0\n");

  // A failed upgrade leaves no state to back up, so the image can be replaced.
  expect((await order(tenant)).status).toBe(204);
  expect((await requestBackup(tenant)).status).toBe(409);
  expect(await listed(tenant)).toEqual(before);
  await tenant.restartWorker();
  expect((await statusOf(tenant)).upgrade).toMatchObject({ state: "failed", backup });
  setImage(OLD);
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect([upgrades(tenant), await notes(tenant)]).toEqual(["", ["kept"]]);
  expect((await statusOf(tenant)).upgrade).toBeUndefined();
  await backUp(tenant);
});

test.concurrent("retries a failed upgrade from the state before it, immediately when an administrator requests it", async ({
  old: { tenant, setImage },
}) => {
  await crash(tenant);
  setImage({ ...NEW, upgrade: "fails" });
  await eventually(async () => {
    await tenant.health();
    return (await statusOf(tenant)).upgrade?.state === "failed";
  });
  setImage(NEW);
  expect((await post(tenant, "restart")).status).toBe(202);
  await running(tenant);
  expect([upgrades(tenant), await notes(tenant)]).toEqual(["1.0.0 to 2.0.0\n", ["kept"]]);
});

test.concurrent("does not count a complete upgrade as failed when its gateway is restarted before it was observed", async ({
  old: { tenant, setImage },
}) => {
  await crash(tenant);
  setImage(NEW);
  await eventually(async () => {
    // Begins the start. Only the file shows its result.
    if (upgrades(tenant) === "") await tenant.health();
    return (
      existsSync(join(tenant.root, "logs/gateway.log")) &&
      tenant.processes("script").length === 0 &&
      upgrades(tenant) !== ""
    );
  });
  writeFileSync(join(tenant.root, "state/since"), "");
  await post(tenant, "restart");
  await running(tenant);
  expect(existsSync(join(tenant.root, "state/since"))).toBe(true);
});

test.concurrent("counts as failed when Worker and gateway were killed", async ({
  old: { tenant, setImage, backup },
}) => {
  await empty(tenant);
  setImage({ ...NEW, upgrade: "hangs" });
  await eventually(async () => {
    await tenant.health();
    return upgrades(tenant) !== "";
  });
  await tenant.restartWorker();
  expect((await statusOf(tenant)).upgrade).toMatchObject({ state: "under-way", from: OLD, to: NEW, backup });
  expect((await order(tenant)).status).toBe(204);
  await crash(tenant);
  setImage(OLD);
  await running(tenant);
  expect([upgrades(tenant), await notes(tenant)]).toEqual(["", ["kept"]]);
});

test.concurrent("sleeps without a backup after a failure", async ({ old: { tenant, setImage } }) => {
  await empty(tenant);
  setImage({ ...NEW, upgrade: "fails" });
  await tenant.until(({ readiness }) => readiness.error?.includes("the upgrade of the state") === true);
  const before = await listed(tenant);
  expect(upgrades(tenant)).not.toBe("");
  await tenant.restartWorker({ SLEEP_AFTER_SECONDS: "2" });
  await tenant.health("?passive=1");
  await asleep(tenant);
  expect(await listed(tenant)).toEqual(before);
  expect((await statusOf(tenant)).upgrade?.state).toBe("failed");
  await tenant.restartWorker();
  setImage(OLD);
  await running(tenant);
  expect([upgrades(tenant), await notes(tenant)]).toEqual(["", ["kept"]]);
});

test.concurrent("restores a chosen backup after a failure, without keeping the failed state", async ({
  old: { tenant, setImage, backup },
}) => {
  await crash(tenant);
  setImage({ ...NEW, upgrade: "fails" });
  await tenant.until(({ readiness }) => readiness.error?.includes("the upgrade of the state") === true);
  setImage(NEW);
  const restored = await post(tenant, "restore", { backup });
  expect([restored.status, JSON.parse(await restored.text())]).toEqual([200, { restored: backup }]);
  await running(tenant);
  expect([upgrades(tenant), await notes(tenant)]).toEqual(["1.0.0 to 2.0.0\n", ["kept"]]);
});
