import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProcesses } from "../../../../local/containers/processes.ts";
import { workspaceOf } from "../../../../local/containers/testing/workspace.ts";
import {
  addNote,
  adminLog,
  archives,
  askForBackup,
  backUp,
  empty,
  listed,
  notes,
  running,
} from "../../testing/backup-tenant.ts";
import { ENGINE_PROCESS } from "../../testing/engine-process.ts";
import { DOWNLOAD, UPLOAD } from "../../testing/engine-proxy.ts";
import {
  eventually,
  referenceGateway,
  startTenant,
  stateFiles,
  TENANT_SCRIPT,
  type Tenant,
  type TestedEngine,
} from "../../testing/harness.ts";
import { openProxied } from "../../testing/proxied-tenant.ts";

let directory: string;
let endings: (() => unknown)[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "backup-faults-"));
  endings = [];
});

afterEach(async () => {
  for (const end of endings.reverse()) await end();
  rmSync(directory, { recursive: true, force: true });
});

async function open(engine: TestedEngine): Promise<Tenant> {
  const tenant = await startTenant(undefined, { directory, engine });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= tenant.stop();
    return stopped;
  };
  endings.push(stop);
  return { ...tenant, stop };
}

/** An engine on another directory, in a process that can be killed. */
async function engineProcess(containers: string): Promise<{ child: ChildProcess; engine: TestedEngine }> {
  const scripts = join(import.meta.dirname, "../../container");
  const child = spawn(process.execPath, [ENGINE_PROCESS, containers, scripts, ...referenceGateway], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  endings.push(() => child.kill("SIGKILL"));
  const [line]: unknown[] = await once(child.stdout, "data");
  return { child, engine: JSON.parse(String(line)) };
}

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

test("kill -9 of the container engine in the middle of a backup lists nothing, and the one before restores", async () => {
  const containers = join(directory, "other");
  const { child, engine } = await engineProcess(containers);
  let tenant = await open(engine);
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);
  const root = workspaceOf(containers, TENANT_SCRIPT);

  writeFileSync(join(root, "state/large"), randomBytes(60_000_000));
  const backup = askForBackup(tenant);
  const found = () => findProcesses(engine.marker);
  const script = await eventually(() =>
    found().find(({ pid, ownPid }) => pid !== ownPid && commandLine(pid).includes("backup.mjs")),
  );
  const directoryOfArchives = join(root, "run/archives");
  const inArchives = () => (existsSync(directoryOfArchives) ? readdirSync(directoryOfArchives) : []);
  await eventually(() => inArchives().some((name) => name.endsWith(".partial")));
  process.kill(script.pid, "SIGSTOP");
  expect(inArchives().filter((name) => name.endsWith(".tar.gz"))).toEqual([]);
  child.kill("SIGKILL");
  expect((await backup).status).toBe(500);
  await eventually(() => found().length === 0);
  expect(await listed(tenant)).toEqual(before);
  await tenant.stop();

  rmSync(join(root, "state"), { recursive: true });
  const second = await engineProcess(containers);
  tenant = await open(second.engine);
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect(existsSync(join(root, "state/large"))).toBe(false);
  second.child.kill("SIGKILL");
  await eventually(() => found().length === 0);
});

test("an archive that breaks off on its way is not listed; a restore that cannot be tried holds the start back", async () => {
  const { tenant, proxy } = await openProxied();
  await running(tenant);
  await addNote(tenant, "kept");
  const { id } = await backUp(tenant);
  const before = await listed(tenant);

  proxy.breakOff(UPLOAD);
  await addNote(tenant, "not backed up");
  expect((await askForBackup(tenant)).status).toBe(500);
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
