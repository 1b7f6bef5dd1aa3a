/** Downloads and uploads of backups by administrators. */
import { createHash } from "node:crypto";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { errorBody } from "#workers/contracts/errors.ts";
import { backupManifest, MAX_UPLOAD_BYTES } from "#workers/contracts/tenant/backup.ts";
import { archiveOf, entry } from "../testing/archives.ts";
import { ADMIN, addNote, backUp, backupReportOf, empty, notes, running, statusOf } from "../testing/backup-tenant.ts";
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
  expect((await tenant.fetch(path, { method: "PUT", headers: ADMIN })).status).toBe(405);
  expect((await backupReportOf(tenant)).backups.map(({ id }) => id)).toContain(backup.id);
});

test.concurrent("refuses an archive that does not match its manifest", async ({ kept: { tenant, backup } }) => {
  const key = `backups/${backup.id}/archive.tar.gz`;
  const whole = await tenant.bucket.get(key);
  await tenant.bucket.put(key, whole?.content.subarray(0, 10) ?? Buffer.of(), whole?.customMetadata);
  const answer = await download(tenant, backup.id);
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("does not have the size")]);
});

const upload = (tenant: Tenant, body: Buffer, headers: Record<string, string> = {}) =>
  tenant.fetch("/api/admin/gateway/backups", {
    method: "POST",
    headers: { ...ADMIN, "X-Platform-User": "ada@acme.example", ...headers },
    body: new Uint8Array(body),
  });
const post = (tenant: Tenant, path: string, body: object) =>
  tenant.fetch(`/api/admin/gateway/${path}`, { method: "POST", headers: ADMIN, body: JSON.stringify(body) });

test.concurrent("lists an uploaded backup, which only a chosen restore uses", async ({ kept: { tenant, backup } }) => {
  const bytes = Buffer.from(await (await download(tenant, backup.id)).arrayBuffer());
  await addNote(tenant, "since then");
  const answer = await upload(tenant, bytes);
  const uploaded = backupManifest.parse(await answer.json());
  expect(answer.status).toBe(201);
  expect(uploaded.archive).toEqual(backup.archive);
  expect((await backupReportOf(tenant)).backups[0]).toMatchObject({
    id: uploaded.id,
    gateway: backup.archive.gateway,
    origin: { reason: "uploaded", by: "ada@acme.example", role: "ADMIN" },
  });
  await backUp(tenant);
  await empty(tenant);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["mine", "since then"]);
  expect((await post(tenant, "restore", { backup: uploaded.id })).status).toBe(200);
  await running(tenant);
  expect(await notes(tenant)).toEqual(["mine"]);
  const { backups } = await backupReportOf(tenant);
  expect(backups.slice(0, 2).map(({ origin }) => origin?.reason)).toEqual(["restored", "before_restore"]);
  const removed = (id: string) =>
    tenant.fetch(`/api/admin/gateway/backups/${id}`, { method: "DELETE", headers: ADMIN }).then(({ status }) => status);
  expect([await removed(backup.id), await removed(uploaded.id), await removed(uploaded.id)]).toEqual([409, 204, 404]);
});

/** Sends a request whose body ends before its declared length. */
const cutOff = (tenant: Tenant, length: number, body: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const headers = { ...ADMIN, "content-length": String(length) };
    const sent = request(`${tenant.url}/api/admin/gateway/backups`, { method: "POST", headers });
    sent.once("error", () => resolve());
    sent.write(body, () => sent.destroy());
    sent.once("close", () => resolve());
  });

test.concurrent("stores nothing of an upload that is no backup of this tenant's image", async ({
  kept: { tenant, backup },
}) => {
  const before = await backupReportOf(tenant);
  const newer = { name: "reference-gateway", version: "9.0.0" };
  const bytes = archiveOf(entry("file", "a", "x".repeat(1_000)));
  const bad: readonly (readonly [string, Buffer, string])[] = [
    ["no archive", Buffer.from("hello"), "upload_invalid"],
    ["gzip of something else", gzipSync("hello"), "upload_invalid"],
    ["a part of an archive", bytes.subarray(0, -5), "upload_invalid"],
    ["an archive with more", Buffer.concat([bytes, Buffer.from("more")]), "upload_invalid"],
    [
      "a bomb",
      gzipSync(Buffer.concat([archiveEntries("zeros", 100_000_000), Buffer.alloc(100_000_000)])),
      "upload_invalid",
    ],
    ["a path outside", archiveOf(entry("file", "../../etc/passwd", "x")), "upload_invalid"],
    ["a link outside", archiveOf(entry("link", "a", "", { target: "/etc" })), "upload_invalid"],
    ["a device", archiveOf(entry("file", "null", "", { flag: "3" })), "upload_invalid"],
    ["a newer state", archiveOf(entry("file", ".tenantry-gateway.json", JSON.stringify(newer))), "upload_too_new"],
  ];
  for (const [name, body, reason] of bad) {
    const { error } = errorBody.parse(await (await upload(tenant, body)).json());
    expect([name, error.reason]).toEqual([name, reason]);
    expect(error.message).toMatch(/Nothing was stored/);
  }
  const { error } = errorBody.parse(
    await (await upload(tenant, archiveOf(entry("file", ".tenantry-gateway.json", JSON.stringify(newer))))).json(),
  );
  expect(error.message).toContain("reference-gateway 9.0.0, newer than this tenant's reference-gateway 1.0.0");
  expect(await tenant.bucket.keys("uploads/")).toEqual([]);
  await cutOff(tenant, 1_000_000, bytes);
  await cutOff(tenant, MAX_UPLOAD_BYTES + 1, bytes);
  expect((await upload(tenant, bytes, { "X-Platform-Role": "BASE_USER" })).status).toBe(403);
  expect(await backupReportOf(tenant)).toEqual(before);
  expect((await download(tenant, backup.id)).status).toBe(200);
});

const archiveEntries = (name: string, size: number) => entry("file", name, "", { size });

test.concurrent("keeps at most five backups, and five uploads", async ({ kept: { tenant, backup } }) => {
  const keep = (id: string, kept: boolean) =>
    tenant.fetch(`/api/admin/gateway/backups/${id}/kept`, {
      method: "PUT",
      headers: ADMIN,
      body: JSON.stringify({ kept }),
    });
  const bytes = archiveOf();
  const ids: string[] = [];
  for (let i = 0; i < 5; i += 1) ids.push(backupManifest.parse(await (await upload(tenant, bytes)).json()).id);
  const refused = errorBody.parse(await (await upload(tenant, bytes)).json());
  expect(refused.error.reason).toBe("uploads_full");
  // At once, as two ADMINs.
  const statuses = await Promise.all([...ids, backup.id].map(async (id) => (await keep(id, true)).status));
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 409]);
  expect((await keep("nothing", true)).status).toBe(404);
  const { backups } = await backupReportOf(tenant);
  expect(backups.filter(({ kept }) => kept)).toHaveLength(5);
  const [first] = backups.filter(({ kept }) => kept);
  expect((await keep(first?.id ?? "", false)).status).toBe(200);
  expect((await backupReportOf(tenant)).backups.filter(({ kept }) => kept)).toHaveLength(4);
});
