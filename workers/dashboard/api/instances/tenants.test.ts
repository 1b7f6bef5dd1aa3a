/** Requests of the API to tenants through the real dispatch Worker, and its errors when tenants do not respond. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { recordHealth } from "#database/health/history.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { incidentRoutes } from "#workers/contracts/api/tenants/incidents.ts";
import { type DispatchUnderTest, INVALIDATE_TOKEN, startDispatch } from "#workers/dispatch/testing/start-dispatch.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";
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

const probe = (ok: boolean, latencyMs = 12) => ({
  ok,
  status: ok ? "success" : "failure",
  latencyMs,
  ...(!ok && { error: "It is away." }),
});
const snapshot = (ok: boolean) => ({
  ts: new Date().toISOString(),
  startup: probe(ok),
  readiness: probe(ok, 31),
  liveness: probe(ok),
  restoreStatus: { hadBackup: true, restored: true },
  status: ok ? "running" : "stopped",
});
const ts = "2026-11-23T10:00:00.000Z";
const HEALTH = "/api/health?passive=1";
const ADMIN = "/api/admin/gateway";

beforeEach(() => {
  tenants.asked.length = 0;
  tenants.answers.clear();
  tenants.answers.set(HEALTH, { body: snapshot(true) });
  tenants.answers.set(`${ADMIN}/status`, {
    body: {
      ts,
      sandbox: "awake",
      disk: { usedBytes: 9, totalBytes: 10 },
      warnings: [{ resource: "disk", message: "Nearly full." }],
      sleep: {
        afterSeconds: 7200,
        remainingSeconds: 0,
        keptAwake: { reason: "channels", details: "2 connected" },
        nextJobAt: ts,
      },
    },
  });
});

const params = () => ({ instance_id: acme.instance });
const health = async (as: As = "north") =>
  (await api.call(instanceRoutes.getInstanceHealth, { as, params: params() })).body;

test("reports gateway, sandbox, history and incidents without starting the gateway", async () => {
  const at = new Date();
  await recordHealth(api.database.db, [
    {
      instanceId: acme.instance,
      startupOk: true,
      readinessOk: true,
      livenessOk: true,
      hadBackup: true,
      restored: true,
      latencyMs: 20,
      at,
    },
  ]);
  expect(await health()).toMatchObject({
    status: "running",
    generation: 1,
    gateway: {
      state: "up",
      phase: "running",
      reason: null,
      probes: { readiness_ok: true, restored: true, latency_ms: 31 },
    },
    heartbeat: { at: null, reason: expect.stringContaining("analytics") },
    sandbox: {
      state: "awake",
      disk: { used_bytes: 9, total_bytes: 10 },
      memory: null,
      warnings: ["Nearly full."],
      sleep: {
        after_seconds: 7200,
        remaining_seconds: 0,
        kept_awake: { reason: "channels", details: "2 connected" },
        next_job_at: ts,
        wakes_at: null,
      },
    },
    latest: { at: at.toISOString(), latency_ms: 20 },
    history: [{ samples: 1, started: 1, ready: 1, mean_latency_ms: 20 }],
    incidents: [],
  });
  expect(tenants.asked.toSorted()).toEqual([
    `GET tenant-acme ${ADMIN}/status as ROOT`,
    `GET tenant-acme ${HEALTH} as ROOT`,
  ]);
});

test("distinguishes a gateway that is down, one that cannot be probed, and a frozen one", async () => {
  tenants.answers.set(HEALTH, { body: snapshot(false) });
  expect((await health()).gateway).toMatchObject({ state: "down", phase: "stopped", reason: "It is away." });
  tenants.answers.set(HEALTH, { status: 500, body: {} });
  // A Worker of an older release does not report sleep.
  tenants.answers.set(`${ADMIN}/status`, { body: { ts, sandbox: "asleep", warnings: [] } });
  expect((await health()).sandbox).toMatchObject({ state: "asleep", sleep: null });
  tenants.answers.delete(`${ADMIN}/status`);
  expect(await health()).toMatchObject({
    gateway: { state: "unknown", probes: null },
    sandbox: null,
    status: "running",
  });
  tenants.answers.set(HEALTH, { body: { rubbish: "<script>" } });
  expect((await health()).gateway.state).toBe("unknown");
  tenants.answers.set(HEALTH, new Promise<never>(() => undefined));
  expect((await health()).gateway.state).toBe("unknown");
  tenants.asked.length = 0;
  await api.fetchAs("root", "POST", `/client/${acme.client}/freeze`, {});
  expect((await health()).gateway).toMatchObject({ state: "down", reason: expect.stringContaining("frozen") });
  expect((await api.refused(instanceRoutes.restartInstance, { as: "north", params: params() })).error.code).toBe(
    "conflict",
  );
  expect(tenants.asked).toEqual([]);
  await api.fetchAs("root", "POST", `/client/${acme.client}/resume`);
});

test("sends restarts, sleep and backups to the tenant with the platform's token, with events", async () => {
  tenants.answers.set(`${ADMIN}/restart`, { status: 202, body: { restarting: true } });
  expect((await api.call(instanceRoutes.restartInstance, { as: "north", params: params() })).body).toEqual({
    restarting: true,
  });
  tenants.answers.set(`${ADMIN}/sleep`, { body: { asleep: true, wakesAt: ts } });
  expect((await api.fetchAs("north", "POST", `/client/instance/${acme.instance}/sleep`, {})).status).toBe(200);
  const manifest = {
    version: 1,
    id: "b1",
    owner: { tenant: "acme", environment: "production" },
    createdAt: ts,
    archive: { size: 77, sha256: "a".repeat(64), state: "s1", files: 3 },
  };
  tenants.answers.set("/api/internal/backup", { body: manifest });
  const backUp = () => api.call(instanceRoutes.backUpInstance, { as: "north", params: params() });
  expect((await backUp()).body).toEqual({
    state: "made",
    backup: { id: "b1", created_at: ts, bytes: manifest.archive.size },
  });
  tenants.answers.set("/api/internal/backup", { status: 204 });
  expect((await backUp()).body).toEqual({ state: "nothing", backup: null });
  expect(tenants.asked).toEqual([
    `POST tenant-acme ${ADMIN}/restart as ROOT`,
    `POST tenant-acme ${ADMIN}/sleep as ROOT`,
    "POST tenant-acme /api/internal/backup as null",
    "POST tenant-acme /api/internal/backup as null",
  ]);
  const { rows } = await api.database.pool.query(
    "select kind, partner_id, data from tenantry.events where kind like 'instance.%' order by id",
  );
  expect(rows.map(({ kind, partner_id, data }) => [kind, partner_id, data.by])).toEqual(
    ["restart", "sleep", "backup", "backup"].map((what) => [
      `instance.${what}_ordered`,
      api.partners.north,
      "root@north.test",
    ]),
  );
});

test("returns the reason of a tenant's refusal, and sends no event of a failed restart", async () => {
  const before = await api.database.pool.query("select from tenantry.events where kind like 'instance.%'");
  const own = { code: "conflict", reason: "backup_of_other_state", message: "Not this state." };
  const { reason: _, ...ofEarlierVersion } = own;
  for (const [error, reason] of [[own, own.reason] as const, [ofEarlierVersion, "refused_by_tenant"] as const]) {
    tenants.answers.set("/api/internal/backup", { status: 409, body: { error } });
    const refused = await api.refused(instanceRoutes.backUpInstance, { as: "north", params: params() });
    expect(refused.error).toEqual({ ...own, reason });
  }
  tenants.answers.set(`${ADMIN}/restart`, {
    status: 500,
    body: { error: { code: "internal", message: "secret detail" } },
  });
  const { status, error } = await api.refused(instanceRoutes.restartInstance, { as: "north", params: params() });
  expect([status, error.code, error.message.includes("secret")]).toEqual([502, "gateway_unavailable", false]);
  const orders = await api.database.pool.query("select from tenantry.events where kind = 'instance.restart_ordered'");
  expect([orders.rowCount, before.rowCount]).toEqual([1, 4]);
  const undeployed = await insertInstance(api.database.db, await insertClient(api.database.db, { slug: "missing" }));
  const missing = await api.refused(instanceRoutes.restartInstance, {
    as: "root",
    params: { instance_id: undeployed },
  });
  expect([missing.error.code, missing.error.message]).toEqual(["conflict", expect.stringContaining("has no Worker")]);
});

test("downloads a backup in any state of the instance, with an event", async () => {
  tenants.answers.set(`${ADMIN}/backups/b1`, { body: new Uint8Array([31, 139, 8, 0]) });
  const path = `/client/instance/${acme.instance}/backups`;
  await api.fetchAs("root", "POST", `/client/${acme.client}/freeze`, {});
  const answer = await api.fetchAs("north", "GET", `${path}/b1`);
  expect([answer.status, [...new Uint8Array(await answer.arrayBuffer())]]).toEqual([200, [31, 139, 8, 0]]);
  await api.fetchAs("root", "POST", `/client/${acme.client}/resume`);
  tenants.answers.set(`${ADMIN}/backups/b2`, { status: 404, body: { error: { code: "not_found", message: "x" } } });
  expect((await api.fetchAs("north", "GET", `${path}/b2`)).status).toBe(404);
  expect((await api.fetchAs("north", "GET", `${path}/..%2flog`)).status).toBe(400);
  tenants.asked.length = 0;
  expect((await api.fetchAs("south", "GET", `${path}/b1`)).status).toBe(404);
  expect(tenants.asked).toEqual([]);
  const { rows } = await api.database.pool.query(
    "select data from tenantry.events where kind = 'instance.backup_downloaded'",
  );
  expect(rows[0].data).toEqual({ instance_id: acme.instance, backup_id: "b1", by: "root@north.test" });
});

test("requests one restore at a time of a running instance, also in Git, without a request to the tenant", async () => {
  const { pool } = api.database;
  const restore = (body: Record<string, unknown>, as: As = "north") =>
    api.fetchAs(as, "POST", `/client/instance/${acme.instance}/restore`, body);
  expect((await pool.query("select managed_by from tenantry.instances where id = $1", [acme.instance])).rows).toEqual([
    { managed_by: "git" },
  ]);
  for (const body of [
    {},
    { backup_id: "../b1" },
    { backup_id: "b1", discard_present: "yes" },
    { backup_id: "b1", x: 1 },
  ]) {
    expect([body, (await restore(body)).status]).toEqual([body, 400]);
  }
  expect((await restore({ backup_id: "b1" }, "south")).status).toBe(404);
  await api.fetchAs("root", "POST", `/client/${acme.client}/freeze`, {});
  expect(await (await restore({ backup_id: "b1" })).json()).toMatchObject({
    error: { code: "conflict", message: expect.stringContaining("is frozen") },
  });
  await api.fetchAs("root", "POST", `/client/${acme.client}/resume`);
  tenants.asked.length = 0;

  const both = await Promise.all([1, 2].map(() => restore({ backup_id: "b1" })));
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const asked = both.find(({ status }) => status === 202);
  const job = (await asked?.json()) as { id: string; kind: string; generation: number };
  expect(job).toMatchObject({ kind: "restore_backup", status: "queued", instance_id: acme.instance, slug: "acme" });
  const { rows } = await pool.query(
    "select payload, tenantry.task_of_job(kind) as task from tenantry.jobs where id = $1",
    [job.id],
  );
  expect(rows).toEqual([{ payload: { backup_id: "b1", discard_present: false }, task: "job" }]);
  const events = await pool.query("select data from tenantry.events where kind = 'instance.restore_ordered'");
  expect(events.rows.map(({ data }) => data)).toEqual([
    { instance_id: acme.instance, by: "root@north.test", backup_id: "b1", job_id: job.id },
  ]);
  const audit = await pool.query("select actor from tenantry.audit_log where entity = 'jobs' and entity_id = $1", [
    job.id,
  ]);
  expect(audit.rows).toEqual([{ actor: "root@north.test" }]);
  expect(tenants.asked).toEqual([]);

  // A cancelled job blocks no other.
  expect((await api.fetchAs("north", "POST", `/jobs/${job.id}/cancel`)).status).toBe(200);
  const again = await restore({ backup_id: "b1", discard_present: true }, "root");
  expect(again.status).toBe(202);
  await api.fetchAs("root", "POST", `/jobs/${((await again.json()) as { id: string }).id}/cancel`);
});

test("lists incidents to the roots with access, and acknowledges each once", async () => {
  const { pool } = api.database;
  const open = async (client: string, instance: string, kind = "gateway_dead") =>
    (
      await pool.query(
        "insert into tenantry.incidents (client_id, instance_id, kind, cause, remedy) values ($1, $2, $3, 'It is dead.', 'Restart it.') returning id",
        [client, instance, kind],
      )
    ).rows[0].id as string;
  const id = await open(acme.client, acme.instance);
  await expect(open(acme.client, acme.instance)).rejects.toMatchObject({ code: "23505" });
  const other = await insertClient(api.database.db, { slug: "of-south", partner_id: api.partners.south });
  const hidden = await open(other, await insertInstance(api.database.db, other));
  const list = async (as: As, query: Record<string, string> = {}) =>
    (await api.call(incidentRoutes.listIncidents, { as, query })).body.data.map((incident) => incident.id);
  expect(await list("north")).toEqual([id]);
  expect((await list("root")).toSorted()).toEqual([id, hidden].toSorted());
  expect((await health()).incidents.map((incident) => incident.id)).toEqual([id]);
  const acknowledge = (as: As, which: string) => ({ as, params: { id: which } });
  expect((await api.refused(incidentRoutes.acknowledgeIncident, acknowledge("north", hidden))).status).toBe(404);
  const first = await api.call(incidentRoutes.acknowledgeIncident, acknowledge("north", id));
  expect(first.body.acknowledged?.by).toBe("root@north.test");
  expect((await api.call(incidentRoutes.acknowledgeIncident, acknowledge("root", id))).body).toEqual(first.body);
  await pool.query("update tenantry.incidents set closed_at = now() where id = $1", [id]);
  expect(await list("north", { open: "true" })).toEqual([]);
  expect(await list("north", { open: "false" })).toEqual([id]);
  expect((await api.fetchAs("north", "GET", "/incidents?open=maybe")).status).toBe(400);
  const { rows } = await pool.query(
    "select actor from tenantry.audit_log where entity = 'incidents' and entity_id = $1 and action = 'update' order by id",
    [id],
  );
  expect(rows[0]).toEqual({ actor: "root@north.test" });
});

test("reports a missing address of the dispatch Worker, and serves all other requests", async () => {
  const alone = await startApi();
  try {
    const instance = await insertInstance(alone.database.db, await insertClient(alone.database.db));
    const at = { as: "root" as const, params: { instance_id: instance } };
    const { body } = await alone.call(instanceRoutes.getInstanceHealth, at);
    expect([body.gateway.state, body.gateway.reason]).toEqual([
      "unknown",
      expect.stringContaining("no address of the dispatch Worker"),
    ]);
    expect((await alone.refused(instanceRoutes.getInstanceLog, at)).status).toBe(503);
  } finally {
    await alone.stop();
  }
});
