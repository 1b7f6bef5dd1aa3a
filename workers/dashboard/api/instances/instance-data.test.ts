/** Backups and files of tenants by the API, through the real dispatch Worker. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { encodeJson } from "#workers/contracts/platform-headers.ts";
import { MAX_UPLOAD_BYTES } from "#workers/contracts/tenant/backup.ts";
import { type DispatchUnderTest, INVALIDATE_TOKEN, startDispatch } from "#workers/dispatch/testing/start-dispatch.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { AUDIENCE } from "../../testing/start-dashboard.ts";
import { tenantStandIn } from "../../testing/tenant-stand-in.ts";

const tenants = tenantStandIn();
let dispatch: DispatchUnderTest;
let api: ApiUnderTest;
let acme: { client: string; instance: string };
beforeAll(async () => {
  dispatch = await startDispatch({}, { tenant: tenants.answer });
  api = await startApi({ DISPATCH_URL: dispatch.url.href, INVALIDATE_TOKEN });
  const client = await insertClient(api.database.db, { slug: "acme", partner_id: api.partners.north });
  acme = { client, instance: await insertInstance(api.database.db, client, { worker_name: "tenant-acme" }) };
});
afterAll(async () => {
  await api?.stop();
  await dispatch?.stop();
});
beforeEach(() => {
  tenants.asked.length = 0;
  tenants.uploads.length = 0;
  tenants.answers.clear();
});

const ts = "2026-11-23T10:00:00.000Z";
const ADMIN = "/api/admin/gateway";
const params = () => ({ instance_id: acme.instance });
const eventsOf = async (kind: string) =>
  (await api.database.pool.query("select data from tenantry.events where kind = $1 order by id", [kind])).rows;

test("returns the tenant's backups and log", async () => {
  tenants.answers.set(`${ADMIN}/backups`, {
    body: {
      state: "unknown",
      trouble: { kind: "refused", reason: "Not known.", since: ts },
      backups: [
        {
          ...{ id: "b2", createdAt: ts, bytes: 5, gateway: { name: "openclaw", version: "2026.9.6" }, kept: true },
          origin: { reason: "uploaded", by: "ada@acme.test", role: "ADMIN" },
        },
        { id: "b1", createdAt: ts, bytes: 4 },
      ],
      damaged: [],
    },
  });
  tenants.answers.set(`${ADMIN}/log`, { body: { lines: ["one", "two"] } });
  expect((await api.call(instanceRoutes.listBackups, { as: "north", params: params() })).body).toEqual({
    data: [
      {
        ...{ id: "b2", created_at: ts, bytes: 5, gateway: { name: "openclaw", version: "2026.9.6" } },
        ...{ reason: "uploaded", by: "ada@acme.test", role: "ADMIN", kept: true },
      },
      // Made by an earlier version of the tenant's Worker.
      { id: "b1", created_at: ts, bytes: 4, gateway: null, reason: "unknown", by: null, role: null, kept: false },
    ],
    trouble: { kind: "refused", reason: "Not known.", since: ts, remedy: null },
    retention: null,
  });
  expect((await api.call(instanceRoutes.getInstanceLog, { as: "north", params: params() })).body).toEqual({
    lines: ["one", "two"],
  });
  expect(api.logs.join("\n")).not.toContain(INVALIDATE_TOKEN);
});

test("streams an upload to the tenant with its length and who sent it, and passes refusals on", async () => {
  const bytes = Buffer.alloc(3_000_000, 7);
  const origin = { reason: "uploaded", by: "root@north.test", role: "PARTNER_ROOT" };
  const archive = { state: "s", size: bytes.length, sha256: "a".repeat(64), files: 1 };
  const owner = { tenant: "acme", environment: "development" };
  const manifest = { version: 1, id: "upload-1", owner, createdAt: ts, archive, origin };
  tenants.answers.set(`${ADMIN}/backups`, { status: 201, body: manifest });
  const path = `/client/instance/${acme.instance}/backups`;
  // Miniflare's proxy sends no length, unlike clients.
  const send = async (body: Buffer, email = "root@north.test") => {
    const token = await api.access.token({ email, aud: [AUDIENCE] });
    return fetch(new URL(path, api.direct), {
      ...{ method: "POST", body: new Uint8Array(body) },
      headers: { cookie: `CF_Authorization=${token}`, "content-type": "application/gzip" },
    });
  };
  const answer = await send(bytes);
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { id: "upload-1", created_at: ts, bytes: bytes.length, gateway: null, ...origin, kept: false },
  ]);
  expect(tenants.uploads).toEqual([
    { length: String(bytes.length), bytes: bytes.length, requester: encodeJson({ by: origin.by, role: origin.role }) },
  ]);
  const event = { instance_id: acme.instance, by: origin.by, bytes: String(bytes.length) };
  expect(await eventsOf("instance.backup_uploaded")).toEqual([{ data: event }]);
  for (const [status, code, reason] of [
    [400, "invalid_request", "upload_invalid"],
    [409, "conflict", "upload_too_new"],
    [413, "payload_too_large", "upload_too_large"],
  ] as const) {
    const error = { code, reason, message: "Why, and what to do." };
    tenants.answers.set(`${ADMIN}/backups`, { status, body: { error } });
    const refused = await send(Buffer.from("x"));
    expect([refused.status, await refused.json()]).toEqual([status, { error: expect.objectContaining(error) }]);
  }
  expect(await eventsOf("instance.backup_uploaded")).toHaveLength(1);
  tenants.asked.length = 0;
  expect((await send(Buffer.alloc(MAX_UPLOAD_BYTES + 1))).status).toBe(413);
  expect((await send(Buffer.alloc(0))).status).toBe(400);
  expect((await send(Buffer.from("x"), "root@south.test")).status).toBe(404);
  expect(tenants.asked).toEqual([]);
});

test("reads and saves files of the state, with an event that has no content, and passes refusals on", async () => {
  const hash = "a".repeat(64);
  const file = { text: "one", hash, bytes: 3, modifiedAt: ts, redacted: false };
  tenants.answers.set(`${ADMIN}/files?path=a`, {
    body: { entries: [{ name: "b", kind: "file", bytes: 3, modifiedAt: ts, secret: false }], truncated: false },
  });
  tenants.answers.set(`${ADMIN}/files/content?path=a%2Fb`, { body: file });
  tenants.answers.set(`${ADMIN}/files/content`, { body: { hash, bytes: 3 } });
  tenants.answers.set(`${ADMIN}/files/download?path=a%2Fb`, { body: Buffer.from("one") });
  const as = "north";
  const listed = await api.call(instanceDataRoutes.listFiles, { as, params: params(), query: { path: "a" } });
  expect(listed.body.data).toEqual([{ name: "b", kind: "file", bytes: 3, modified_at: ts, secret: false }]);
  const query = { path: "a/b" };
  const read = await api.call(instanceDataRoutes.readFile, { as, params: params(), query });
  expect(read.body).toEqual({ text: "one", hash, bytes: 3, modified_at: ts, redacted: false });
  const body = { path: "a/b", text: "the content", hash };
  const saved = await api.call(instanceDataRoutes.saveFile, { as, params: params(), body });
  expect(saved.body).toEqual({ hash, bytes: 3 });
  const events = () =>
    api.database.pool.query("select data from tenantry.events where kind = 'instance.file_changed' order by id");
  expect((await events()).rows).toEqual([{ data: { instance_id: acme.instance, by: "root@north.test", path: "a/b" } }]);
  const message = "The file was changed since you read it.";
  const error = { code: "conflict", reason: "file_changed", message };
  tenants.answers.set(`${ADMIN}/files/content`, { status: 409, body: { error } });
  const refused = await api.refused(instanceDataRoutes.saveFile, { as, params: params(), body });
  expect(refused).toEqual({ status: 409, error: expect.objectContaining(error) });
  // A refused change leaves no event, and no entry.
  expect((await events()).rows).toHaveLength(1);
  const { rows } = await api.database.pool.query(
    "select actor, after from tenantry.audit_log where entity = 'state' and after ? 'file'",
  );
  expect(rows).toEqual([{ actor: "root@north.test", after: { file: "a/b", bytes: 11 } }]);
  // A tenant's Worker of an earlier release has no such path.
  tenants.answers.set(`${ADMIN}/files?path=a`, {
    status: 404,
    body: { error: { code: "not_found", reason: "administration_path_not_found", message } },
  });
  const old = await api.refused(instanceDataRoutes.listFiles, { as, params: params(), query: { path: "a" } });
  expect([old.status, old.error.reason]).toEqual([409, "tenant_without_order"]);
});

test("keeps a backup, deletes an upload and says what a restore loses", async () => {
  const as = "north";
  const ofBackup = { ...params(), backup_id: "b1" };
  tenants.answers.set(`${ADMIN}/backups/b1/kept`, { body: { kept: true } });
  tenants.answers.set(`${ADMIN}/backups/b1`, { status: 204 });
  tenants.answers.set(`${ADMIN}/backups/b1/changes`, { body: { count: 1, first: [{ path: "a", modifiedAt: ts }] } });
  const kept = await api.call(instanceDataRoutes.keepBackup, { as, params: ofBackup, body: { kept: true } });
  expect(kept.body).toEqual({ kept: true });
  const changes = await api.call(instanceDataRoutes.getBackupChanges, { as, params: ofBackup });
  expect(changes.body).toEqual({ count: 1, data: [{ path: "a", modified_at: ts }] });
  expect((await api.call(instanceDataRoutes.deleteBackup, { as, params: ofBackup })).status).toBe(204);
  expect(tenants.asked).toEqual([
    `PUT tenant-acme ${ADMIN}/backups/b1/kept as ROOT`,
    `GET tenant-acme ${ADMIN}/backups/b1/changes as ROOT`,
    `DELETE tenant-acme ${ADMIN}/backups/b1 as ROOT`,
  ]);
});
