/** Actions of tests on a tenant and its backups. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  type BackupManifest,
  type BackupReport,
  backupManifest,
  backupReport,
} from "#workers/contracts/tenant/backup.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { eventually, stateFiles, type Tenant } from "./harness.ts";

export const ADMIN = { "X-Platform-Role": "ADMIN" };

/** Returns the ids of the listed backups, oldest first. */
export async function listed(tenant: Tenant): Promise<string[]> {
  const keys = await tenant.bucket.keys("backups/");
  return keys.flatMap((key) => (key.endsWith("/manifest.json") ? [key.split("/")[1] ?? ""] : [])).sort();
}

/** Returns the archives in the bucket, including those without a manifest. */
export async function archives(tenant: Tenant): Promise<string[]> {
  return (await tenant.bucket.keys("backups/")).filter((key) => key.endsWith("/archive.tar.gz"));
}

export const requestBackup = (tenant: Tenant): Promise<Response> =>
  tenant.fetch("/api/admin/gateway/backup", { method: "POST", headers: ADMIN });

/** Creates a new backup of the present state, after any backup in progress. Wakes a tenant that fell asleep meanwhile. */
export function backUp(tenant: Tenant): Promise<BackupManifest> {
  let refusal: unknown;
  return eventually(
    async () => {
      const response = await requestBackup(tenant);
      const body: unknown = await response.json();
      if (response.status === 409) {
        refusal = body;
        await running(tenant);
        return undefined;
      }
      expect([response.status, body]).toEqual([201, expect.anything()]);
      return backupManifest.parse(body);
    },
    () => refusal,
  );
}

/** Waits for the backup that the first active call began. */
export const settled = (tenant: Tenant): Promise<unknown> =>
  eventually(
    async () => (await listed(tenant)).length > 0,
    () => backupReportOf(tenant),
  );

export const running = (tenant: Tenant) => tenant.until(({ status }) => status === "running");

/** Whether a process has ended with all threads, which closes its port. */
function isDead(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1")) && readdirSync(`/proc/${pid}/task`).length <= 1;
  } catch {
    return true;
  }
}

/** Kills the gateway. */
export async function crash(tenant: Tenant): Promise<void> {
  const pids = tenant.processes().map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await eventually(() => tenant.processes().length === 0 && pids.every(isDead));
}

/** Removes gateway and state, as after the start of a container. */
export async function empty(tenant: Tenant): Promise<void> {
  await crash(tenant);
  const state = join(tenant.root, "state");
  for (const name of stateFiles(tenant)) rmSync(join(state, name), { recursive: true });
}

/** Leaves a state without a marker in the container, and no backup. */
export async function leaveUnmarkedState(tenant: Tenant): Promise<void> {
  await running(tenant);
  await settled(tenant);
  await empty(tenant);
  await tenant.bucket.delete(...(await tenant.bucket.keys("backups/")));
  writeFileSync(join(tenant.root, "state/unmarked"), "unmarked");
}

export async function addNote(tenant: Tenant, text: string): Promise<void> {
  const body = JSON.stringify({ text });
  expect((await tenant.fetch("/api/notes", { method: "POST", body })).status).toBe(201);
}

export async function notes(tenant: Tenant): Promise<string[]> {
  const answer: { notes: { text: string }[] } = JSON.parse(await (await tenant.fetch("/api/notes")).text());
  return answer.notes.map(({ text }) => text);
}

export async function adminLog(tenant: Tenant): Promise<string> {
  return (await tenant.fetch("/api/admin/gateway/log", { headers: ADMIN })).text();
}

/** Sends a tick as the dispatch Worker does. */
export const tick = (tenant: Tenant, at = new Date()): Promise<Response> =>
  tenant.fetch("/api/internal/tick", { method: "POST", body: JSON.stringify({ scheduledTime: at.toISOString() }) });

/** Changes an object's content, but not its metadata. */
export async function alter(tenant: Tenant, key: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const object = await tenant.bucket.get(key);
  if (object === undefined) throw new Error(`${key} was not found.`);
  await tenant.bucket.put(key, change(object.content), object.customMetadata);
}

/** Returns the administrators' report of backups. */
export async function backupReportOf(tenant: Tenant): Promise<BackupReport> {
  const response = await tenant.fetch("/api/admin/gateway/backups", { headers: ADMIN });
  expect(response.status).toBe(200);
  return backupReport.parse(await response.json());
}

/** Returns the administrators' status of the sandbox. */
export async function statusOf(tenant: Tenant): Promise<SandboxStatus> {
  const response = await tenant.fetch("/api/admin/gateway/status", { headers: ADMIN });
  return sandboxStatus.parse(await response.json());
}

/** Returns the kinds of failed backups and restores in the analytics dataset. */
export const failures = (tenant: Tenant): (string | null | undefined)[] =>
  tenant.points().flatMap(({ blobs }) => (blobs[0] === "backup_failures" ? [blobs[1]] : []));
