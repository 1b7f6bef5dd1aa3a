import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { findProcesses } from "../../local/sandbox/processes.ts";
import { startSandboxes } from "../../local/sandbox/sandboxes.ts";
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
} from "./testing/backup-tenant.ts";
import { buildTenant, eventually, referenceGateway, startTenant, type Tenant } from "./testing/harness.ts";
import { SANDBOX_PROCESS } from "./testing/sandbox-process.ts";

const container = join(import.meta.dirname, "container");
const startScript = join(container, "start-gateway.mjs");
const acme = { namespace: "tenants", name: "tenant-acme", className: "Sandbox" };

let bundle: string;
let directory: string;
let endings: (() => unknown)[];

beforeAll(async () => {
  bundle = await buildTenant();
}, 120_000);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "backup-faults-"));
  endings = [];
});

afterEach(async () => {
  for (const end of endings.reverse()) await end();
  rmSync(directory, { recursive: true, force: true });
});

async function open(supervisorSocket?: string): Promise<Tenant> {
  const tenant = await startTenant(bundle, undefined, supervisorSocket, { directory });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= tenant.stop();
    return stopped;
  };
  endings.push(stop);
  return { ...tenant, stop };
}

/** The sandboxes of another directory, in a process that can be killed. */
async function sandboxProcess(sandboxes: string): Promise<{ child: ChildProcess; socket: string }> {
  const child = spawn(process.execPath, [SANDBOX_PROCESS, sandboxes, startScript, ...referenceGateway], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  endings.push(() => child.kill("SIGKILL"));
  const [line]: unknown[] = await once(child.stdout, "data");
  return { child, socket: String(line).trim() };
}

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
};

test("kill -9 of the sandbox's supervisor in the middle of a backup lists nothing, and the one before restores", async () => {
  const sandboxes = join(directory, "other");
  const root = join(sandboxes, "tenants/tenant-acme");
  const first = await sandboxProcess(sandboxes);
  let tenant = await open(first.socket);
  await running(tenant);
  await addNote(tenant, "kept");
  await backUp(tenant);
  const before = await listed(tenant);

  writeFileSync(join(root, "state/large"), randomBytes(60_000_000));
  const backup = askForBackup(tenant);
  const script = await eventually(() => findProcesses(root).find(({ pid }) => commandLine(pid).includes("backup.mjs")));
  const directoryOfArchives = join(root, "run/archives");
  const inArchives = () => (existsSync(directoryOfArchives) ? readdirSync(directoryOfArchives) : []);
  await eventually(() => inArchives().some((name) => name.endsWith(".partial")));
  process.kill(script.pid, "SIGSTOP");
  expect(inArchives().filter((name) => name.endsWith(".tar.gz"))).toEqual([]);
  first.child.kill("SIGKILL");
  expect((await backup).status).toBe(500);
  await eventually(() => findProcesses(root).length === 0);
  expect(await listed(tenant)).toEqual(before);
  await tenant.stop();

  rmSync(join(root, "state"), { recursive: true });
  const second = await sandboxProcess(sandboxes);
  tenant = await open(second.socket);
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect(existsSync(join(root, "state/large"))).toBe(false);
  second.child.kill("SIGKILL");
  await eventually(() => findProcesses(root).length === 0);
});

/** Between Worker and supervisor: passes everything on but what `fault` answers itself. */
async function between(
  socketPath: string,
  fault: (call: string, response: ServerResponse) => boolean,
): Promise<string> {
  const server = createServer((incoming, response) => {
    if (fault(`${incoming.method} ${incoming.url}`, response)) return void incoming.resume();
    const { method, url: path, headers } = incoming;
    const outgoing = request({ socketPath, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  const path = join(directory, "between.sock");
  await new Promise<void>((resolve) => server.listen(path, resolve));
  endings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return path;
}

test("an archive that breaks off on its way is not listed; a restore that cannot be tried holds the start back", async () => {
  const sandboxes = await startSandboxes({
    directory: join(directory, "other"),
    startScript,
    gatewayCommand: referenceGateway,
    log: () => {},
  });
  endings.push(() => sandboxes.stop());
  const root = join(directory, "other/tenants/tenant-acme");
  let broken: "GET" | "PUT" | undefined;
  const socket = await between(await sandboxes.socket(acme), (call, response) => {
    if (broken === undefined || !call.startsWith(`${broken} /archives/`)) return false;
    if (broken === "GET") response.writeHead(200, { "content-length": 5_000 }).write("x", () => response.destroy());
    else response.writeHead(507).end();
    return true;
  });
  const tenant = { ...(await open(socket)), root };
  const processes = () => findProcesses(root);
  await running(tenant);
  await addNote(tenant, "kept");
  const { id } = await backUp(tenant);
  const before = await listed(tenant);

  broken = "GET";
  await addNote(tenant, "not backed up");
  expect((await askForBackup(tenant)).status).toBe(500);
  expect(await listed(tenant)).toEqual(before);
  expect(await archives(tenant)).toHaveLength(before.length);

  broken = "PUT";
  await empty({ ...tenant, processes });
  const held = await tenant.until(({ readiness }) => readiness.error?.includes("backup") === true);
  expect(held.status).toBe("stopped");
  expect(processes()).toEqual([]);
  expect(readdirSync(join(root, "state"))).toEqual([]);
  expect(await adminLog(tenant)).toContain("restore.failed");

  broken = undefined;
  expect((await running(tenant)).restoreStatus).toEqual({ hadBackup: true, restored: true });
  expect(await notes(tenant)).toEqual(["kept"]);
  expect(await adminLog(tenant)).toContain(id);
});
