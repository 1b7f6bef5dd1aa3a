import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EngineHost, findProcesses } from "@tenantry/edge/containers";
import { expect } from "vitest";
import { gatewayProcessImage } from "../../container/process-image.ts";
import {
  addNote,
  adminLog,
  archives,
  backUp,
  empty,
  listed,
  notes,
  requestBackup,
  running,
} from "../../testing/backup-tenant.ts";
import { DOWNLOAD, UPLOAD } from "../../testing/engine-proxy.ts";
import { eventually, referenceGateway, stateFiles } from "../../testing/harness.ts";
import { test as base } from "../../testing/test.ts";

// A tenant on an engine whose process can be killed. Opened again, it is the same tenant.
const test = base.extend("openKillable", ({ directory, openTenant, onTestFinished }) => async () => {
  const host = new EngineHost();
  onTestFinished(() => host.stop());
  const image = gatewayProcessImage({ command: referenceGateway });
  const engine = await host.open({ directory, image, log: () => {} });
  const tenant = await openTenant(undefined, { directory, openEngine: async () => engine });
  return { tenant, engine, kill: () => process.kill(host.pid, "SIGKILL") };
});

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

test.concurrent("lists nothing and restores the previous backup when the engine was killed during a backup", async ({
  openKillable,
}) => {
  const { tenant, engine, kill } = await openKillable();
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);
  const { root } = tenant;

  writeFileSync(join(root, "state/large"), randomBytes(60_000_000));
  const backup = requestBackup(tenant);
  const found = () => findProcesses(engine.marker);
  const script = await eventually(() =>
    found().find(({ pid, ownPid }) => pid !== ownPid && commandLine(pid).includes("backup.mjs")),
  );
  const directoryOfArchives = join(root, "run/archives");
  const inArchives = () => (existsSync(directoryOfArchives) ? readdirSync(directoryOfArchives) : []);
  await eventually(() => inArchives().some((name) => name.endsWith(".partial")));
  process.kill(script.pid, "SIGSTOP");
  expect(inArchives().filter((name) => name.endsWith(".tar.gz"))).toEqual([]);
  kill();
  // Its object may end first.
  expect([500, 503]).toContain((await backup).status);
  await eventually(() => found().length === 0);
  expect(await listed(tenant)).toEqual(before);
  await tenant.stop();

  rmSync(join(root, "state"), { recursive: true });
  const second = await openKillable();
  expect((await running(second.tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(second.tenant)).toEqual(["kept"]);
  expect(existsSync(join(root, "state/large"))).toBe(false);
  second.kill();
  await eventually(() => found().length === 0);
});

test.concurrent("does not list an archive whose upload broke, and delays the start while a restore fails", async ({
  openProxied,
}) => {
  const { tenant, proxy } = await openProxied();
  await running(tenant);
  await addNote(tenant, "kept");
  const { id } = await backUp(tenant);
  const before = await listed(tenant);

  proxy.breakOff(UPLOAD);
  await addNote(tenant, "not backed up");
  expect((await requestBackup(tenant)).status).toBe(500);
  expect(await listed(tenant)).toEqual(before);
  expect(await archives(tenant)).toHaveLength(before.length);

  proxy.breakOff();
  proxy.fail(DOWNLOAD);
  await empty(tenant);
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("backup") === true);
  expect(held.status).toBe("stopped");
  expect(tenant.processes("gateway")).toEqual([]);
  expect(stateFiles(tenant)).toEqual([]);
  expect(await adminLog(tenant)).toContain("restore.failed");
  const left = join(tenant.root, "run/archives");
  expect(existsSync(left) ? readdirSync(left) : []).toEqual([]);

  proxy.fail();
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect(await adminLog(tenant)).toContain(id);
});
