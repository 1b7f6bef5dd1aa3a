/** Programs with a service token use the API with the client package: through dispatch, dashboard and database as deployed. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import * as client from "@tenantry/client";
import type { RequestInit } from "miniflare";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import {
  type DispatchUnderTest,
  DOMAIN,
  DOORS_KEY,
  INVALIDATE_TOKEN,
  startDispatch,
  tenant,
} from "#workers/dispatch/testing/start-dispatch.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";
import { tenantStandIn } from "../../testing/tenant-stand-in.ts";

const README = join(import.meta.dirname, "../../../../packages/client/README.md");
const RESTART = "/api/admin/gateway/restart";
const SECRET = "secret-of-a-service-token";
const tenantUrl = `https://acme.${DOMAIN}`;

const tenants = tenantStandIn();
let dispatch: DispatchUnderTest;
let api: ApiUnderTest;
const ids: Record<"acme" | "instance" | "globex" | "ada", string> = { acme: "", instance: "", globex: "", ada: "" };

beforeAll(async () => {
  dispatch = await startDispatch({}, { tenant: tenants.answer });
  api = await startApi({ DISPATCH_URL: dispatch.url.href, INVALIDATE_TOKEN, DOORS_KEY });
  const { db } = api.database;
  ids.acme = await insertClient(db, { slug: "acme", name: "Acme", partner_id: api.partners.north });
  ids.globex = await insertClient(db, { slug: "globex", partner_id: api.partners.south });
  ids.instance = await insertInstance(db, ids.acme, { worker_name: "tenant-acme" });
  const other = await insertInstance(db, ids.globex);
  const user = (email: string, role: string) =>
    insertClientUser(db, { client_id: ids.acme, email, role, status: "validated" }, [ids.instance]);
  ids.ada = await user("ada@acme.test", "ADMIN");
  for (const name of ["ben", "cleo", "dora"]) await user(`${name}@acme.test`, "BASE_USER");
  await insertClientUser(db, { client_id: ids.globex, email: "eve@globex.test", role: "ADMIN" }, [other]);
  dispatch.rest.tenants.set("acme", tenant("acme"));
});
afterAll(async () => {
  await api?.stop();
  await dispatch?.stop();
});
beforeEach(() => {
  tenants.asked.length = 0;
  tenants.answers.clear();
  tenants.answers.set(RESTART, { status: 202, body: { restarting: true } });
});

/** Creates a service token at Access, the database and dispatch. @param of default: ada */
async function serviceToken(
  clientId: string,
  role: "ADMIN" | "BASE_USER" = "ADMIN",
  of = { id: ids.ada, email: "ada@acme.test" },
): Promise<string> {
  await api.database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     values ('production', $1, $2, $3, $4, $5, now() + interval '1 day', $3, $3)`,
    [ids.acme, of.id, clientId, role, of.email],
  );
  const expires_at = Math.floor(Date.now() / 1000) + 86_400;
  dispatch.rest.tokens.set(`acme ${clientId}`, { email: of.email, role, expires_at });
  return clientId;
}

/** Sends requests to both Workers, as Access lets them through. */
const fetched = (async (address: string, { headers, ...init }: RequestInit & { headers?: Headers } = {}) => {
  const { host, pathname, search } = new URL(address);
  const sent = Object.fromEntries(headers ?? []);
  const { "cf-access-client-id": clientId, "cf-access-client-secret": secret, ...others } = sent;
  const path = `${pathname}${search}`;
  if (host === `dash.${DOMAIN}`) return api.fetch(path, { ...init, headers: others });
  if (secret !== SECRET) return new Response(null, { status: 302 });
  const claims = { common_name: clientId, sub: "", aud: ["audience-of-acme"] } as unknown as { email: string };
  const jwt = await dispatch.access.token(claims);
  return dispatch.fetch(host, path, { ...init, headers: { ...others, "cf-access-jwt-assertion": jwt } });
}) as unknown as typeof fetch;

const programOf = (clientId: string, clientSecret = SECRET) =>
  client.tenantClient({ tenantUrl, clientId, clientSecret, fetch: fetched, attempts: 1 });

test("a program lists, invites and restarts, as the user of its service token", async () => {
  const program = programOf(await serviceToken("all.access"));
  const { user, tenant: own } = await program.call("getSession");
  expect([user.email, user.role, own?.client.slug]).toEqual(["ada@acme.test", "ADMIN", "acme"]);
  const path = { client_id: ids.acme };
  const invited = await program.call("inviteClientUser", {
    path,
    body: { email: "new@acme.test", role: "BASE_USER", instance_ids: [ids.instance] },
  });
  expect(invited).toMatchObject({ email: "new@acme.test", status: "invited" });
  const emails: string[] = [];
  for await (const { email } of program.list("listClientUsers", { path, query: { limit: 2 } })) emails.push(email);
  expect(emails.toSorted()).toEqual(["ada", "ben", "cleo", "dora", "new"].map((name) => `${name}@acme.test`));
  expect(await program.call("restartInstance", { path: { instance_id: ids.instance } })).toEqual({ restarting: true });
  expect(tenants.asked).toEqual([`POST tenant-acme ${RESTART} as ROOT`]);
});

test("a request with the key of another one is carried out once", async () => {
  const program = programOf(await serviceToken("once.access"));
  const invite = () =>
    program.call(
      "inviteClientUser",
      {
        path: { client_id: ids.acme },
        body: { email: "once@acme.test", role: "BASE_USER", instance_ids: [ids.instance] },
      },
      { idempotencyKey: "one" },
    );
  expect(await invite()).toEqual(await invite());
});

test("a change of another version is refused", async () => {
  const program = programOf(await serviceToken("versions.access"));
  const path = { client_id: ids.acme };
  const { data } = await program.call("listClientUsers", { path, query: { limit: 100 } });
  const ben = data.find(({ email }) => email === "ben@acme.test");
  const rename = (version: number) =>
    program.call("updateClientUser", { path: { ...path, id: ben?.id ?? "" }, body: { name: "Ben" } }, { version });
  const changed = await rename(ben?.version ?? 0);
  expect(changed.name).toBe("Ben");
  await expect(rename(ben?.version ?? 0)).rejects.toMatchObject({
    ...{ name: "ApiError", code: "precondition_failed", status: 412, details: { version: changed.version } },
  });
});

test("invalid values and objects of other tenants are refused with the API's error", async () => {
  const program = programOf(await serviceToken("faults.access"));
  const invalid = program.call("listClientUsers", { path: { client_id: "x" } });
  await expect(invalid).rejects.toMatchObject({
    code: "invalid_request",
    details: { client_id: [expect.any(String)] },
  });
  const foreign = program.call("getClient", { path: { client_id: ids.globex } });
  await expect(foreign).rejects.toBeInstanceOf(client.ApiError);
  await expect(foreign).rejects.toMatchObject({ status: 404 });
});

test("a service token with a lower role than its user's has the lower one", async () => {
  const program = programOf(await serviceToken("low.access", "BASE_USER"));
  expect((await program.call("getSession")).user.role).toBe("BASE_USER");
  const restart = program.call("restartInstance", { path: { instance_id: ids.instance } });
  await expect(restart).rejects.toMatchObject({ code: "forbidden", reason: "console_admin_required" });
  expect(tenants.asked).toEqual([]);
});

test("a service token with a lower role than its user's manages the user's own tokens in the console", async () => {
  const email = "fay@acme.test";
  const user = { client_id: ids.acme, email, role: "ADMIN", status: "validated" };
  const fay = { id: await insertClientUser(api.database.db, user, [ids.instance]), email };
  await serviceToken("own.access", "ADMIN", fay);
  const program = programOf(await serviceToken("lower.access", "BASE_USER", fay));
  const { rows } = await api.database.pool.query(
    `insert into tenantry.service_tokens
       (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
     select 'production', client_id, id, 'of-ben', 'BASE_USER', 'x', now() + interval '1 day', 'of-ben', 'of-ben'
     from tenantry.client_users where email = 'ben@acme.test' returning id, client_user_id`,
  );
  const [{ id: ofBen, client_user_id: ben }] = rows;
  const { users, tokens } = await program.call("listConsoleTokens");
  expect(users).toEqual([{ ...fay, role: "BASE_USER" }]);
  expect(tokens.map(({ name }) => name)).toEqual(expect.arrayContaining(["own.access", "lower.access"]));
  expect(tokens.map(({ email }) => email)).not.toContain("ben@acme.test");

  const create = (wanted: { role: "ADMIN" | "BASE_USER"; client_user_id?: string }) =>
    program.call("createConsoleToken", { path: { id: randomUUID() }, body: { name: "new", days: 1, ...wanted } });
  await expect(create({ role: "ADMIN" })).rejects.toMatchObject({ reason: "service_token_role_above_user" });
  const forBen = create({ role: "BASE_USER", client_user_id: ben });
  await expect(forBen).rejects.toMatchObject({ reason: "user_not_found" });
  const ofOther = program.call("revokeConsoleToken", { path: { id: ofBen } });
  await expect(ofOther).rejects.toMatchObject({ reason: "service_token_not_found" });
  const own = tokens.find(({ name }) => name === "own.access");
  await program.call("revokeConsoleToken", { path: { id: own?.id ?? "" } });
  expect((await program.call("listConsoleTokens")).tokens.map(({ name }) => name)).not.toContain("own.access");
});

test("a service token with its user's role manages tokens in the console", async () => {
  const program = programOf(await serviceToken("tokens.access"));
  const { tokens } = await program.call("listConsoleTokens");
  expect(tokens.map(({ name }) => name)).toContain("tokens.access");
});

test("a session ends with its service token, and with its user", async () => {
  const program = programOf(await serviceToken("gone.access"));
  await program.call("getSession");
  await api.database.pool.query("delete from tenantry.service_tokens where access_client_id = 'gone.access'");
  const refusal = { status: 403, reason: "console_service_token_refused" };
  await expect(program.call("getSession")).rejects.toMatchObject(refusal);
  await expect(program.call("listConsoleTokens")).rejects.toMatchObject(refusal);
});

test("a session of one tenant is refused at another", async () => {
  const headers = { "cf-access-client-id": await serviceToken("near.access"), "cf-access-client-secret": SECRET };
  const response = await fetched(`${tenantUrl}/.tenantry/session`, { method: "POST", headers: new Headers(headers) });
  const { token, api_url } = (await response.json()) as { token: string; api_url: string };
  const at = (baseUrl: string, authorization: string) =>
    client.createClient({ baseUrl, headers: { authorization }, fetch: fetched, attempts: 1 }).call("getSession");
  expect((await at(api_url, `Bearer ${token}`)).user.email).toBe("ada@acme.test");
  const refusal = { status: 401, reason: "console_session_missing" };
  await expect(at(api_url.replace("acme", "globex"), `Bearer ${token}`)).rejects.toMatchObject(refusal);
  await expect(at(api_url, `Bearer ${token.slice(0, -4)}AAAA`)).rejects.toMatchObject(refusal);
  await expect(at(`https://dash.${DOMAIN}`, `Bearer ${token}`)).rejects.toMatchObject({ status: 401 });
});

test("a login with another secret is refused", async () => {
  const program = programOf(await serviceToken("wrong.access"), "another");
  await expect(program.call("getSession")).rejects.toMatchObject({ code: "authentication_required" });
});

test("the example of the package's README works", async () => {
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(README, "utf8")) ?? [];
  const [line, ...code] = example.split("\n");
  expect(line).toBe('import { ApiError, tenantClient } from "@tenantry/client";');
  const process = {
    env: {
      TENANT_URL: tenantUrl,
      CF_ACCESS_CLIENT_ID: await serviceToken("readme.access"),
      CF_ACCESS_CLIENT_SECRET: SECRET,
    },
  };
  const printed: string[] = [];
  const console = { log: (text: string) => void printed.push(text) };
  vi.stubGlobal("fetch", fetched);
  try {
    const run = Function(
      ...["client", "process", "console"],
      `const { ApiError, tenantClient } = client; return (async () => {${stripTypeScriptTypes(code.join("\n"))}})();`,
    ) as (...given: unknown[]) => Promise<void>;
    await run(client, process, console);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(printed[0]).toBe("ada@acme.test is ADMIN of Acme.");
  expect(printed).toContain("BASE_USER cleo@acme.test");
  expect(tenants.asked).toEqual([`POST tenant-acme ${RESTART} as ROOT`]);
});

test("a program runs the doctor, whose findings join those of the platform, and repairs", async () => {
  const program = programOf(await serviceToken("doctor.access"));
  const path = { instance_id: ids.instance };
  const DOCTOR = "/api/admin/gateway/doctor";
  const since = "2026-11-23T10:00:00.000Z";
  const run = { kind: "check", state: "running", step: "checking", startedAt: since };
  const findings = [{ check: "core/a", severity: "error", message: "m", hint: "Run openclaw doctor --fix.", since }];
  tenants.answers.set(DOCTOR, { status: 202, body: { run, findings, checkedAt: since } });
  const report = await program.call("runDoctor", { path });
  expect(report.run).toMatchObject({ kind: "check", state: "running", started_at: since, reason: null });
  expect(report.findings.map(({ id, repair }) => [id, repair])).toContainEqual(["core/a", "repairByDoctor"]);
  // The platform's reasons are left out for a tenant's users.
  const unreachable = report.findings.find(({ id }) => id === "agent_unreachable");
  expect(unreachable?.message).toContain("cannot reach the agent at the moment");

  const fault = { kind: "not_backed_up", details: "No room." };
  const failed = { ...run, kind: "repair", state: "failed", endedAt: since, fault };
  tenants.answers.set(`${DOCTOR}/repair`, { status: 202, body: { run: failed, findings: [] } });
  expect((await program.call("repairByDoctor", { path })).run?.reason).toContain("No room.");

  // A Worker of an earlier version, and one whose response is malformed.
  tenants.answers.delete(DOCTOR);
  const read = () => program.call("getDoctor", { path });
  expect((await read()).findings.map(({ id }) => id)).toContain("doctor_not_supported");
  tenants.answers.set(DOCTOR, { body: { findings: "<script>" } });
  expect(await read()).toMatchObject({ run: null, gateway_checked_at: null });
  const { rows } = await api.database.pool.query("select kind from tenantry.events where kind ~ 'doctor' order by id");
  expect(rows.map(({ kind }) => kind)).toEqual(["instance.doctor_ordered", "instance.doctor_repair_ordered"]);
});

test("each user may wake the instance, but not run its doctor; a frozen instance does neither", async () => {
  const user = programOf(await serviceToken("waking.access", "BASE_USER"));
  const path = { instance_id: ids.instance };
  const probe = { ok: false, status: "failure", latencyMs: 1, error: "It starts." };
  const snapshot = { ts: "2026-11-23T10:00:00.000Z", startup: probe, readiness: probe, liveness: probe };
  const restoreStatus = { hadBackup: true, restored: true };
  tenants.answers.set("/api/health", { body: { ...snapshot, restoreStatus, status: "starting" } });
  expect(await user.call("wakeInstance", { path })).toEqual({ state: "starting" });
  for (const operation of ["getDoctor", "runDoctor", "repairByDoctor"] as const) {
    await expect(user.call(operation, { path })).rejects.toMatchObject({ reason: "console_admin_required" });
  }
  const admin = programOf(await serviceToken("frozen.access"));
  const set = (status: string) =>
    api.database.pool.query("update tenantry.instances set status = $2 where id = $1", [ids.instance, status]);
  await set("frozen");
  try {
    tenants.asked.length = 0;
    for (const operation of ["wakeInstance", "runDoctor", "repairByDoctor"] as const) {
      await expect(admin.call(operation, { path })).rejects.toMatchObject({ reason: "instance_halted" });
    }
    expect(await admin.call("getDoctor", { path })).toMatchObject({ run: null });
    expect(tenants.asked).toEqual([]);
  } finally {
    await set("running");
  }
});

test("a program lists and changes devices; a second change says who was first; a user and a frozen instance have none", async () => {
  const admin = programOf(await serviceToken("devices.access"));
  const path = { instance_id: ids.instance };
  const DEVICES = "/api/admin/gateway/devices";
  const at = Date.parse("2026-11-23T10:00:00.000Z");
  const device = { deviceId: "d1", name: "Laptop", roles: ["node"], scopes: [] };
  const pending = [{ requestId: "r1", ...device, at, publicKey: "key", tokens: { node: { token: "t" } } }];
  tenants.answers.set(DEVICES, { body: { pending, paired: [{ ...device, at, connected: false, token: "t" }] } });
  const described = { id: "d1", name: "Laptop", platform: null, client: null, roles: ["node"], scopes: [] };
  const time = "2026-11-23T10:00:00.000Z";
  expect(await admin.call("listDevices", { path })).toEqual({
    pending: [{ request_id: "r1", ...described, requested_at: time }],
    paired: [{ ...described, paired_at: time, last_seen_at: null, is_connected: false }],
    unavailable: null,
  });
  const stopped = { code: "conflict", reason: "devices_need_running_agent", message: "It does not run." };
  tenants.answers.set(DEVICES, { status: 409, body: { error: stopped } });
  const { reason, message } = stopped;
  const unavailable = { pending: [], paired: [], unavailable: { reason, message } };
  expect(await admin.call("listDevices", { path })).toEqual(unavailable);
  tenants.answers.set(DEVICES, { body: { device } });
  const request = { ...path, request_id: "r1" };
  expect(await admin.call("approveDevice", { path: request })).toEqual({ device_id: "d1", name: "Laptop" });
  const entries = async () => {
    const query = "select after from tenantry.audit_log where entity = 'state' and after ? 'device'";
    return (await api.database.pool.query(query)).rows;
  };
  expect(await entries()).toEqual([{ after: { device: "r1", change: "approve" } }]);
  const unknown = { code: "conflict", reason: "device_not_found", message: "It no longer exists." };
  tenants.answers.set(DEVICES, { status: 409, body: { error: unknown } });
  await expect(admin.call("rejectDevice", { path: request })).rejects.toMatchObject({
    reason: "device_changed_by",
    message: expect.stringMatching(/ada@acme\.test at .+ UTC: approved/),
  });
  await expect(admin.call("removeDevice", { path: { ...path, device_id: "d9" } })).rejects.toMatchObject({
    reason: "device_not_found",
  });
  // Refused changes have no entry.
  expect(await entries()).toHaveLength(1);

  const user = programOf(await serviceToken("no-devices.access", "BASE_USER"));
  const calls = (program: typeof user) => [
    () => program.call("listDevices", { path }),
    () => program.call("approveDevice", { path: request }),
    () => program.call("removeDevice", { path: { ...path, device_id: "d1" } }),
  ];
  for (const call of calls(user)) await expect(call()).rejects.toMatchObject({ reason: "console_admin_required" });
  await api.database.pool.query("update tenantry.instances set status = 'frozen' where id = $1", [ids.instance]);
  try {
    for (const call of calls(admin)) await expect(call()).rejects.toMatchObject({ reason: "instance_halted" });
  } finally {
    await api.database.pool.query("update tenantry.instances set status = 'running' where id = $1", [ids.instance]);
  }
});
