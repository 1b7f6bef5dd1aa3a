/** How the ADMINs of a client freeze, delete, restore, export and erase it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "@tenantry/std/listening";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consoleApi } from "#domain/access/access-addresses.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { exportManifest } from "#workers/contracts/api/tenants/export.ts";
import { consoleLogin } from "../../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

/** Stands for the dispatch Worker: each tenant has one backup with this content. */
const STATE = Buffer.alloc(3_000_001, "state of the gateway ");
const stateHash = createHash("sha256").update(STATE).digest();
let dispatch: Server;
/** How much of the backup is sent. */
let sent = STATE.length;

let api: ApiUnderTest;
beforeAll(async () => {
  dispatch = createServer((request, response) => {
    if (request.url?.startsWith("/_backups/")) {
      const backups = [{ id: "b2", createdAt: "2026-11-20T10:00:00.000Z", bytes: STATE.length }];
      response.end(JSON.stringify({ state: "known", backups, damaged: [] }));
    } else if (request.url?.startsWith("/_backup/")) {
      response.setHeader("repr-digest", `sha-256=:${stateHash.toString("base64")}:`);
      response.end(STATE.subarray(0, sent));
    } else response.writeHead(404).end("{}");
  });
  await listen(dispatch, { port: 0 });
  const address = dispatch.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  api = await startApi({ DISPATCH_URL: `http://127.0.0.1:${port}`, INVALIDATE_TOKEN: "invalidate-token-of-a-test" });
});
afterAll(async () => {
  await api?.stop();
  dispatch?.close();
});

const { root, north } = { root: "root", north: "north" } as const;

/** Creates a client of north with an instance, two ADMINs and a user. */
async function tenant(slug: string) {
  const { db, pool } = api.database;
  const id = await insertClient(db, { slug, partner_id: api.partners.north, managed_by: "dashboard" });
  const instance = await insertInstance(db, id, { managed_by: "dashboard", ai_gateway_id: `tenantry-${slug}` });
  for (const who of ["ada", "ben", "uma"]) {
    const role = who === "uma" ? "BASE_USER" : "ADMIN";
    const user = { client_id: id, email: `${who}@${slug}.test`, role, status: "validated" };
    await insertClientUser(db, user, [instance]);
  }
  const user = (who: string) => ({ slug, email: `${who}@${slug}.test` });
  const notices = async () =>
    (
      await pool.query(
        "select recipient, data ->> 'what' as what, data ->> 'by' as by from tenantry.mails where client_id = $1 and kind = 'deletion_notice' order by created_at",
        [id],
      )
    ).rows.map(({ recipient, what, by }) => [recipient, what, by]);
  return { params: { client_id: id }, ada: user("ada"), ben: user("ben"), uma: user("uma"), notices };
}

test("lets an ADMIN freeze, and any ADMIN of the client resume that, but nothing that an operator froze", async () => {
  const { params, ada, ben, uma } = await tenant("cool");
  const frozen = await api.call(clientRoutes.freezeClient, { as: ada, params, body: { cause: "vacation" } });
  expect(frozen.body.instance).toMatchObject({ status: "frozen", frozen_by: "client" });
  const resumed = await api.call(clientRoutes.resumeClient, { as: ben, params });
  expect(resumed.body.instance).toMatchObject({ status: "running", frozen_by: null });
  expect(await api.refused(clientRoutes.freezeClient, { as: uma, params, body: {} })).toMatchObject({ status: 403 });

  // An operator takes over the freeze of an ADMIN.
  for (const [as, by] of [
    [north, "the partner north"],
    [root, "the platform"],
  ] as const) {
    await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
    const taken = await api.call(clientRoutes.freezeClient, { as, params, body: {} });
    expect(taken.body.instance?.frozen_by).toBe(as === north ? "partner" : "platform");
    // An ADMIN's freeze after it changes nothing.
    await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
    expect(await api.refused(clientRoutes.resumeClient, { as: ada, params })).toEqual({
      status: 403,
      error: {
        code: "forbidden",
        reason: "instance_frozen_by_operator",
        message: `The instance of cool was frozen by ${by}, not by an ADMIN. Ask ${by} to resume it.`,
      },
    });
    await api.call(clientRoutes.resumeClient, { as: root, params });
  }
  // A partner root resumes what an ADMIN froze.
  await api.call(clientRoutes.freezeClient, { as: ada, params, body: {} });
  expect((await api.call(clientRoutes.resumeClient, { as: north, params })).body.instance?.status).toBe("running");
  await api.database.pool.query(
    "update tenantry.instances set status = 'frozen', frozen_for = 'credit' where client_id = $1",
    [params.client_id],
  );
  expect(await api.refused(clientRoutes.resumeClient, { as: ada, params })).toMatchObject({
    status: 409,
    error: { reason: "instance_frozen_for_credit" },
  });
});

test("lets one ADMIN delete and another undo it, with mails to the others, and keeps the console open", async () => {
  const { params, ada, ben, uma, notices } = await tenant("going");
  expect(await api.refused(clientRoutes.deleteClient, { as: uma, params })).toMatchObject({ status: 403 });
  const gone = await api.call(clientRoutes.deleteClient, { as: ada, params });
  expect(gone.body).toMatchObject({ deletion_by: "client", instance: { status: "frozen", frozen_by: "deletion" } });
  const again = await api.call(clientRoutes.deleteClient, { as: ben, params });
  expect(again.body.delete_after).toBe(gone.body.delete_after);
  expect((await api.call(clientRoutes.getClient, { as: ben, params })).body.delete_after).toBe(gone.body.delete_after);
  expect(await api.refused(clientRoutes.deleteClient, { as: ada, params, query: { now: "true" } })).toMatchObject({
    status: 403,
    error: { reason: "admin_erases_instead" },
  });
  const back = await api.call(clientRoutes.restoreClient, { as: ben, params });
  expect(back.body).toMatchObject({ delete_after: null, deletion_by: null, instance: { status: "running" } });
  expect(await notices()).toEqual([
    ["ben@going.test", "deleted", "ada@going.test"],
    ["ada@going.test", "restored", "ben@going.test"],
  ]);
});

test("lets an ADMIN neither restore nor erase what an operator deleted", async () => {
  const { params, ada } = await tenant("ousted");
  for (const [as, by] of [
    [north, "the partner north"],
    [root, "the platform"],
  ] as const) {
    await api.call(clientRoutes.deleteClient, { as: ada, params });
    // An operator takes over the deletion of an ADMIN.
    const taken = await api.call(clientRoutes.deleteClient, { as, params });
    expect(taken.body.deletion_by).toBe(as === north ? "partner" : "platform");
    const refused = {
      status: 403,
      error: {
        reason: "client_deleted_by_operator",
        message: `The client ousted was deleted by ${by}, not by an ADMIN. Ask ${by} to restore it.`,
      },
    };
    expect(await api.refused(clientRoutes.restoreClient, { as: ada, params })).toMatchObject(refused);
    const erase = { as: ada, params, body: { slug: "ousted" } };
    expect(await api.refused(clientRoutes.eraseClient, erase)).toMatchObject(refused);
    await api.call(clientRoutes.restoreClient, { as: root, params });
  }
  await api.call(clientRoutes.deleteClient, { as: ada, params });
  expect((await api.call(clientRoutes.restoreClient, { as: north, params })).body.delete_after).toBeNull();
});

test("erases a deleted client for an ADMIN that confirms it by the slug, and only then", async () => {
  const { params, ada, ben, notices } = await tenant("wiped");
  const erase = { as: ada, params, body: { slug: "wiped" } };
  expect(await api.refused(clientRoutes.eraseClient, erase)).toMatchObject({ error: { reason: "client_not_deleted" } });
  await api.call(clientRoutes.deleteClient, { as: ben, params });
  const wrong = { ...erase, body: { slug: "other" } };
  expect(await api.refused(clientRoutes.eraseClient, wrong)).toMatchObject({
    error: { reason: "erasure_not_confirmed" },
  });
  const { body } = await api.call(clientRoutes.eraseClient, erase);
  expect(Date.parse(body.delete_after ?? "")).toBeLessThanOrEqual(Date.now());
  // A second ADMIN does not change who gets the certificate.
  await api.call(clientRoutes.eraseClient, { ...erase, as: ben });
  const { rows } = await api.database.pool.query(
    "select requested_by, recipients, own_ai_gateway from tenantry.erasures where client_id = $1",
    [params.client_id],
  );
  expect(rows).toEqual([
    { requested_by: "ada@wiped.test", recipients: ["ada@wiped.test"], own_ai_gateway: "tenantry-wiped" },
  ]);
  expect(await notices()).toContainEqual(["ben@wiped.test", "erased", "ada@wiped.test"]);
  expect(await api.refused(clientRoutes.restoreClient, { as: ada, params })).toMatchObject({
    status: 409,
    error: { reason: "grace_period_over" },
  });
  // A platform root restores it until the first object is deleted, which withdraws the erasure.
  await api.call(clientRoutes.restoreClient, { as: root, params });
  const left = await api.database.pool.query("select from tenantry.erasures where client_id = $1", [params.client_id]);
  expect(left.rowCount).toBe(0);
});

test("refuses to restore a client whose objects are being deleted", async () => {
  const { params, ada } = await tenant("begun");
  await api.call(clientRoutes.deleteClient, { as: ada, params });
  await api.call(clientRoutes.eraseClient, { as: ada, params, body: { slug: "begun" } });
  await api.database.pool.query("update tenantry.erasures set began_at = now() where client_id = $1", [
    params.client_id,
  ]);
  expect(await api.refused(clientRoutes.restoreClient, { as: root, params })).toMatchObject({
    status: 409,
    error: { reason: "client_erasing" },
  });
});

test.each([
  ["another status", "update tenantry.instances set status = 'error'"],
  ["a freeze for credit", "update tenantry.instances set status = 'frozen', frozen_for = 'credit'"],
  [
    "another plan with a deletion",
    "update tenantry.clients set delete_after = now() + interval '7 days', billing_plan = 'enterprise'",
  ],
  ["a deletion without a grace period", "update tenantry.clients set delete_after = now()"],
  ["another cause", "update tenantry.instances set state_cause = 'x'"],
  ["who deleted it", "update tenantry.clients set deletion_by = 'client_admin'"],
])("refuses an ADMIN %s in the database", async (what, statement) => {
  const slug = `limits-${what.replaceAll(" ", "-")}`;
  const { params, ada } = await tenant(slug);
  const client = await api.database.pool.connect();
  try {
    await client.query("begin");
    await client.query("set local session authorization tenantry_dashboard");
    await client.query("select dashboard.enter_tenant($1, $2, null, false, '', '')", [slug, ada.email]);
    await expect(client.query(statement)).rejects.toThrow(/ADMIN cannot/);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect((await api.call(clientRoutes.getClient, { as: root, params })).body).toMatchObject({
    delete_after: null,
    instance: { status: "running" },
  });
});

const exportAs = async ({ slug, email }: { slug: string; email: string }, client_id: string) =>
  api.fetch(`${consoleApi(slug)}/client/${client_id}/export`, { headers: await consoleLogin(slug, email) });

/** Extracts an archive with the system's tar. @returns a reader of its files */
async function extracted(archive: Uint8Array): Promise<{ names: string[]; file: (name: string) => Promise<Buffer> }> {
  const directory = await mkdtemp(join(tmpdir(), "tenantry-export-"));
  const list = execFileSync("tar", ["-xvf", "-", "-C", directory], { input: archive, encoding: "utf8" });
  const names = list.trimEnd().split("\n");
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)),
  );
  await rm(directory, { recursive: true });
  return { names, file: async (name) => files.get(name) ?? expect.fail(`no file ${name}`) };
}

test("exports everything that an ADMIN may read, with its state and without secrets, also of a deleted client", async () => {
  const { params, ada, ben, uma } = await tenant("leaving");
  const { db, pool } = api.database;
  const { client_id } = params;
  const { rows: instances } = await pool.query("select id from tenantry.instances where client_id = $1", [client_id]);
  const instance = instances[0].id;
  const secrets = ["sealed-door", "sealed-channel", "sealed-key", "sealed-egress", "hash-of-invitation"];
  const [door, channel, key, egress, token] = secrets.map((secret) => Buffer.alloc(64, `${secret} `));
  const made = await pool.query(
    `insert into tenantry.doors (instance_id, kind, name, key_hash, key_hint, secrets, secret_names, created_by)
     values ($1, 'hmac', 'shop', $2, 'hint', $3, '{secret}', 'x') returning id`,
    [instance, Buffer.alloc(32, 7), door],
  );
  await pool.query(
    `insert into tenantry.channels (environment, instance_id, kind, door_id, account_id, account_name, credentials, created_by)
     values ('production', $1, 'telegram', $2, 'bot', '@shop_bot', $3, 'x')`,
    [instance, made.rows[0].id, channel],
  );
  await pool.query(
    "insert into tenantry.provider_keys (instance_id, provider, credentials, key_hint, created_by) values ($1, 'openai', $2, 'hint', 'x')",
    [instance, key],
  );
  await pool.query(
    "insert into tenantry.egress_secrets (instance_id, name, host, header, credentials, created_by) values ($1, 'crm', 'api.example.com', 'authorization', $2, 'x')",
    [instance, egress],
  );
  await insertClientUser(
    db,
    {
      client_id,
      email: "new@leaving.test",
      role: "BASE_USER",
      status: "invited",
      token_hash: token?.subarray(0, 32) ?? null,
    },
    [],
  );
  await pool.query(
    "insert into tenantry.jobs (kind, client_id, instance_id, slug, requested_by, status, ended_at) select 'final_backup', $1, $2, 'leaving', 'root@platform.test', 'succeeded', now() from generate_series(1, 230)",
    [client_id, instance],
  );
  await api.call(clientRoutes.deleteClient, { as: ada, params });

  const response = await exportAs(ben, client_id);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-tar"]);
  const archive = new Uint8Array(await response.arrayBuffer());
  const { names, file } = await extracted(archive);
  const manifest = exportManifest.parse(JSON.parse(String(await file("manifest.json"))));
  expect(manifest).toMatchObject({
    client: { id: client_id, slug: "leaving" },
    exported_by: ben.email,
    state: { file: "state/backup.tar.gz", backup_id: "b2" },
  });
  expect(names).toEqual([...manifest.contents.map(({ path }) => path), "manifest.json"]);
  for (const { path, bytes, sha256 } of manifest.contents) {
    const content = await file(path);
    expect([path, content.length, createHash("sha256").update(content).digest("hex")]).toEqual([path, bytes, sha256]);
  }
  expect(STATE.equals(await file("state/backup.tar.gz"))).toBe(true);
  const lines = async (name: string) =>
    String(await file(name))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  expect((await lines("history/jobs-0001.jsonl")).length).toBeGreaterThan(230);
  expect((await lines("configuration/people-0001.jsonl")).map(({ email }) => email)).toContain(ada.email);
  expect((await lines("configuration/channels-0001.jsonl"))[0]).toMatchObject({ account: { name: "@shop_bot" } });
  expect((await lines("audit/changes-0001.jsonl")).map(({ actor }) => actor)).toContain(ada.email);
  const text = Buffer.from(archive).toString("latin1");
  for (const secret of [
    ...secrets,
    ...[door, channel, key, egress, token].flatMap((one) => [one?.toString("base64"), one?.toString("hex")]),
  ])
    expect([secret, text.includes((secret ?? "missing").slice(0, 40))]).toEqual([secret, false]);
  expect(text).not.toContain("root@platform.test");

  expect((await exportAs(uma, client_id)).status).toBe(403);
  const other = await tenant("stranger");
  expect((await exportAs(other.ada, client_id)).status).toBe(404);
});

test("leaves an interrupted export without a manifest, and ends one whose ADMIN was removed", async () => {
  const { params, ada } = await tenant("broken");
  sent = 1_000_000;
  const response = await exportAs(ada, params.client_id);
  expect(response.status).toBe(200);
  const read = await response.arrayBuffer().then(Buffer.from, () => Buffer.alloc(0));
  sent = STATE.length;
  expect(read.includes("manifest.json")).toBe(false);

  const stopped = await exportAs(ada, params.client_id);
  expect(stopped.status).toBe(200);
  const reader = stopped.body?.getReader() ?? expect.fail("no body");
  await reader.read();
  await api.database.pool.query("delete from tenantry.client_users where email = $1", [ada.email]);
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) break;
    chunks.push(value);
  }
  expect(Buffer.concat(chunks).includes("manifest.json")).toBe(false);
});
