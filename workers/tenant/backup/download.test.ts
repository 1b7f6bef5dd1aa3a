/** Downloads of backups by administrators. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ADMIN, addNote, backUp, backupReportOf, empty, running, statusOf } from "../testing/backup-tenant.ts";
import type { Tenant } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";

const test = base.extend("kept", async ({ openTenant }) => {
  const tenant = await openTenant();
  await running(tenant);
  await addNote(tenant, "mine");
  return { tenant, backup: await backUp(tenant) };
});

const download = (tenant: Tenant, id: string, headers: Record<string, string> = ADMIN) =>
  tenant.fetch(`/api/admin/gateway/backups/${id}`, { headers });

test.concurrent("returns the stored archive with its length and digest, without waking the sandbox", async ({
  kept: { tenant, backup },
}) => {
  await empty(tenant);
  const answer = await download(tenant, backup.id);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const digest = createHash("sha256").update(bytes);
  expect(digest.copy().digest("hex")).toBe(backup.archive.sha256);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/gzip",
    "content-length": String(backup.archive.size),
    "content-disposition": expect.stringContaining(`-${backup.id}.tar.gz"`),
    "repr-digest": `sha-256=:${digest.digest("base64")}:`,
    "cache-control": "no-store",
  });
  expect(tenant.processes("gateway")).toEqual([]);
  expect((await statusOf(tenant)).sandbox).not.toBe("waking");
});

test.concurrent("requires an administrator and an existing backup", async ({ kept: { tenant, backup } }) => {
  expect((await download(tenant, backup.id, { "X-Platform-Role": "BASE_USER" })).status).toBe(403);
  expect((await download(tenant, backup.id, {})).status).toBe(403);
  const rubbish = ["nothing", "..", "%2e%2e%2f", `${backup.id}%2farchive.tar.gz`, "a".repeat(300), `${backup.id}%00`];
  for (const id of rubbish) expect([id, (await download(tenant, id)).status]).toEqual([id, 404]);
  const path = `/api/admin/gateway/backups/${backup.id}`;
  expect((await tenant.fetch(path, { method: "DELETE", headers: ADMIN })).status).toBe(405);
  expect((await backupReportOf(tenant)).backups.map(({ id }) => id)).toContain(backup.id);
});

test.concurrent("refuses an archive that does not match its manifest", async ({ kept: { tenant, backup } }) => {
  const key = `backups/${backup.id}/archive.tar.gz`;
  const whole = await tenant.bucket.get(key);
  await tenant.bucket.put(key, whole?.content.subarray(0, 10) ?? Buffer.of(), whole?.customMetadata);
  const answer = await download(tenant, backup.id);
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("does not have the size")]);
});
