/** Instances over HTTP: provisioning, plans, gateways and their jobs, by platform roots and partner roots. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi({ AI_GATEWAY_CREATE_DEDICATED: "false" });
});
afterAll(() => api?.stop());

const client = async (slug: string, as: As = "root") =>
  (await api.call(clientRoutes.createClient, { as, body: { slug, billing_plan: "basic" } })).body.id;
const create = (client_id: string, as: As = "root", more: Record<string, unknown> = {}) =>
  api.call(instanceRoutes.createInstance, { as, body: { client_id, ...more } });
const refused = async (as: As, body: Record<string, unknown>) => {
  const { status, error } = await api.refused(instanceRoutes.createInstance, { as, body });
  return [status, error.code];
};
const written = async (clientId: string) =>
  (
    await api.database.pool.query(
      "select from tenantry.instances where client_id = $1 union all select from tenantry.jobs where client_id = $1",
      [clientId],
    )
  ).rowCount;
const setFailed = (id: string) =>
  api.database.pool.query("update tenantry.instances set status = 'error', state_cause = 'It failed.' where id = $1", [
    id,
  ]);

test("provisions nothing without room, and creates a row and a job with room", async () => {
  const id = await client("first", "north");
  expect(await refused("north", { client_id: id })).toEqual([409, "no_ai_gateway_capacity"]);
  expect(await written(id)).toBe(0);
  const [full, free] = [
    await insertPoolEntry(api.database.db, { gateway_id: "full", max_instances: 0 }),
    await insertPoolEntry(api.database.db, { gateway_id: "free", max_instances: 2 }),
  ];
  await insertPoolEntry(api.database.db, { gateway_id: "elsewhere", max_instances: 9, environment: "staging" });
  const { status, body } = await create(id, "north");
  expect(status).toBe(202);
  expect(body).toMatchObject({
    client: { id, slug: "first" },
    status: "provisioning",
    generation: 1,
    managed_by: "dashboard",
    worker_name: "tenant-first",
    ai_gateway: { id: "free", pool_id: free },
    state_cause: expect.stringContaining("queued"),
    job: { kind: "provision", status: "queued", generation: 1, requested_by: "root@north.test", slug: "first" },
  });
  expect(body.ai_gateway?.pool_id).not.toBe(full);
  expect(Date.parse(body.state_deadline ?? "")).toBeGreaterThan(Date.now());
  expect(await refused("north", { client_id: id })).toEqual([409, "conflict"]);
  expect((await api.call(instanceRoutes.getInstance, { as: "root", params: { instance_id: body.id } })).body).toEqual(
    body,
  );
});

test("gives the last slot to one of two concurrent requests", async () => {
  const ids = await Promise.all([client("races"), client("raced")]);
  const answers = await Promise.all(
    ids.map((client_id) => api.fetchAs("root", "POST", "/client/instance/create", { client_id })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  const again = await Promise.all(
    [1, 2, 3].map(() => api.fetchAs("root", "POST", "/client/instance/create", { client_id: ids[0] })),
  );
  expect(again.map(({ status }) => status)).toEqual([409, 409, 409]);
});

test("uses a platform root's choice of gateway, and refuses a partner root's choice and unknown gateways", async () => {
  const id = await client("chosen", "north");
  const { db } = api.database;
  const pool = await insertPoolEntry(db, { gateway_id: "chosen-one", max_instances: 1 });
  const disabled = await insertPoolEntry(db, { gateway_id: "disabled", max_instances: 1, enabled: false });
  expect(await refused("north", { client_id: id, ai_gateway_pool_id: pool })).toEqual([403, "forbidden"]);
  expect(await refused("root", { client_id: id, ai_gateway_pool_id: crypto.randomUUID() })).toEqual([
    400,
    "invalid_request",
  ]);
  expect(await refused("root", { client_id: id, ai_gateway_pool_id: pool, ai_gateway_id: "full" })).toEqual([
    400,
    "invalid_request",
  ]);
  expect(await refused("root", { client_id: id, ai_gateway_pool_id: disabled })).toEqual([
    409,
    "no_ai_gateway_capacity",
  ]);
  expect(await refused("root", { client_id: id, ai_gateway_id: "full" })).toEqual([409, "no_ai_gateway_capacity"]);
  for (const rubbish of ["", "../up", "UPPER", "x".repeat(65), 7, null]) {
    expect([rubbish, await refused("root", { client_id: id, ai_gateway_id: rubbish })]).toEqual([
      rubbish,
      [400, "invalid_request"],
    ]);
  }
  const other = await client("owns-one");
  await insertInstance(db, other, { ai_gateway_id: "tenantry-owns-one", managed_by: "dashboard" });
  expect(await refused("root", { client_id: id, ai_gateway_id: "tenantry-owns-one" })).toEqual([409, "conflict"]);
  expect(await written(id)).toBe(0);
  expect((await create(id, "root", { ai_gateway_id: "chosen-one" })).body.ai_gateway).toEqual({
    id: "chosen-one",
    pool_id: pool,
  });
  const external = await create(await client("external"), "root", { ai_gateway_id: "of-the-account" });
  expect(external.body.ai_gateway).toEqual({ id: "of-the-account", pool_id: null });
});

test("provisions an instance in error again, with its gateway and a new generation", async () => {
  const id = await client("again");
  const pool = await insertPoolEntry(api.database.db, { gateway_id: "kept", max_instances: 1 });
  const first = (await create(id, "root", { ai_gateway_pool_id: pool })).body;
  await setFailed(first.id);
  // Other gateways have more free slots now.
  await insertPoolEntry(api.database.db, { gateway_id: "roomy", max_instances: 3 });
  const { body } = await create(id);
  expect(body).toMatchObject({ id: first.id, status: "provisioning", ai_gateway: { id: "kept", pool_id: pool } });
  expect(body.generation).toBeGreaterThan(first.generation);
  expect(body.job).toMatchObject({ kind: "provision", generation: body.generation });
});

test("refuses to provision an instance in error again after a concurrent change", async () => {
  const id = await client("changing");
  const { id: instance } = (await create(id, "root", { ai_gateway_id: "of-the-account" })).body;
  await setFailed(instance);
  const { pool } = api.database;
  const other = await pool.connect();
  try {
    await other.query("begin");
    await other.query("update tenantry.instances set status = 'running' where id = $1", [instance]);
    const answer = refused("root", { client_id: id });
    await expect
      .poll(async () => (await pool.query("select from pg_locks where not granted")).rowCount)
      .toBeGreaterThan(0);
    await other.query("commit");
    expect(await answer).toEqual([409, "conflict"]);
  } finally {
    other.release();
  }
  const { rows } = await pool.query("select status from tenantry.instances where id = $1", [instance]);
  expect(rows).toEqual([{ status: "running" }]);
});

test("refuses instances for clients of Git, deleted clients and other partners' clients", async () => {
  const { db } = api.database;
  const git = await insertClient(db, { slug: "declared", owner: "urn:pulumi:prod-x::tenantry::a:b:C::client" });
  expect(await refused("root", { client_id: git })).toEqual([409, "managed_by_git"]);
  const leaving = await client("leaving");
  await api.call(clientRoutes.deleteClient, { as: "root", params: { client_id: leaving } });
  expect(await refused("root", { client_id: leaving })).toEqual([409, "conflict"]);
  const souths = await client("souths", "south");
  expect(await refused("north", { client_id: souths })).toEqual([404, "not_found"]);
  expect(await refused("root", { client_id: crypto.randomUUID() })).toEqual([404, "not_found"]);
  expect(await refused("root", { client_id: "1 or 1=1" })).toEqual([400, "invalid_request"]);
  expect(await refused("root", { client_id: souths, extra: true })).toEqual([400, "invalid_request"]);
});

test("changes a plan with one job at a time, and reverts it when the job is cancelled", async () => {
  const id = await client("planned", "north");
  const instance_id = (await create(id, "north")).body.id;
  const change = (plan_type: string, headers: Record<string, string> = {}) => ({
    as: "north" as const,
    params: { instance_id, plan_type },
    headers,
  });
  expect((await api.refused(instanceRoutes.changeWorkerPlan, change("pro", { "if-match": '"99"' }))).status).toBe(412);
  const changed = await api.call(instanceRoutes.changeWorkerPlan, change("pro"));
  expect([changed.status, changed.body.billing_plan, changed.body.job?.kind]).toEqual([202, "pro", "change_plan"]);
  expect((await api.refused(instanceRoutes.changeWorkerPlan, change("free"))).error.code).toBe("conflict");
  expect((await api.refused(instanceRoutes.changeWorkerPlan, change("gold"))).status).toBe(400);
  const job = changed.body.job?.id ?? "";
  const cancelled = await api.call(jobRoutes.cancelJob, { as: "north", params: { id: job } });
  expect(cancelled.body).toMatchObject({ status: "cancelled", cause: "Cancelled by root@north.test." });
  const { body } = await api.call(clientRoutes.getClient, { as: "north", params: { client_id: id } });
  expect(body.billing_plan).toBe("basic");
  expect((await api.refused(jobRoutes.cancelJob, { as: "north", params: { id: job } })).error.code).toBe("conflict");
  const git = await insertClient(api.database.db, { slug: "git-plan" });
  const instance = await insertInstance(api.database.db, git);
  const ofGit = { as: "root" as const, params: { instance_id: instance, plan_type: "free" } };
  expect((await api.refused(instanceRoutes.changeWorkerPlan, ofGit)).error.code).toBe("managed_by_git");
});

test("cancels a queued provisioning, after which the instance can be provisioned again", async () => {
  const id = await client("called-off");
  const begun = (await create(id)).body;
  await api.call(jobRoutes.cancelJob, { as: "root", params: { id: begun.job?.id ?? "" } });
  const { body } = await api.call(instanceRoutes.getInstance, { as: "root", params: { instance_id: begun.id } });
  expect(body).toMatchObject({
    status: "error",
    state_cause: expect.stringContaining("cancelled by root@platform.test"),
    job: null,
  });
  expect((await create(id)).body.status).toBe("provisioning");
  const freeze = await api.call(clientRoutes.freezeClient, { as: "root", params: { client_id: id }, body: {} });
  expect(freeze.body.instance?.status).toBe("frozen");
  const { body: jobs } = await api.call(jobRoutes.listJobs, { as: "root", query: { client_id: id, kind: "freeze" } });
  const frozen = await api.refused(jobRoutes.cancelJob, { as: "root", params: { id: jobs.data[0]?.id ?? "" } });
  expect([frozen.error.code, frozen.error.message]).toEqual(["conflict", expect.stringContaining("Resume it instead")]);
});

test("moves to another gateway with a job that keeps the old slot, and refuses a gateway without room", async () => {
  const { db } = api.database;
  const [from, to, none] = [
    await insertPoolEntry(db, { gateway_id: "move-from", max_instances: 1 }),
    await insertPoolEntry(db, { gateway_id: "move-to", max_instances: 1 }),
    await insertPoolEntry(db, { gateway_id: "move-none", max_instances: 0 }),
  ];
  const { id } = (await create(await client("mover", "north"), "root", { ai_gateway_pool_id: from })).body;
  const move = (as: As, body: unknown) => ({ as, params: { id }, body });
  expect((await api.refused(instanceRoutes.assignGateway, move("north", { ai_gateway_pool_id: to }))).status).toBe(403);
  expect((await api.refused(instanceRoutes.assignGateway, move("root", {}))).status).toBe(400);
  for (const [body, code] of [
    [{ ai_gateway_pool_id: none }, "no_ai_gateway_capacity"],
    [{ ai_gateway_pool_id: from }, "conflict"],
  ] as const) {
    expect((await api.refused(instanceRoutes.assignGateway, move("root", body))).error.code).toBe(code);
  }
  const { status, body } = await api.call(instanceRoutes.assignGateway, move("root", { ai_gateway_id: "move-to" }));
  expect([status, body.kind, body.status]).toEqual([202, "assign_gateway", "queued"]);
  const after = await api.call(instanceRoutes.getInstance, { as: "root", params: { instance_id: id } });
  expect(after.body.ai_gateway).toEqual({ id: "move-from", pool_id: from });
  const { rows } = await api.database.pool.query("select payload from tenantry.jobs where id = $1", [body.id]);
  expect(rows[0].payload).toEqual({
    kind: "pooled",
    from: "move-from",
    ai_gateway_id: "move-to",
    ai_gateway_pool_id: to,
  });
  expect((await api.refused(instanceRoutes.assignGateway, move("root", { ai_gateway_id: "another" }))).error.code).toBe(
    "conflict",
  );
});

test("lists jobs by page and filter, with their events", async () => {
  const id = await client("busy", "north");
  const { pool } = api.database;
  await pool.query(
    `insert into tenantry.jobs (kind, client_id, slug, requested_by, created_at)
     select 'invalidate', $1, 'busy', 'root', now() - n * interval '1 second' from generate_series(1, 5) n`,
    [id],
  );
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const query = { client_id: id, limit: "2", ...(after !== undefined && { after }) };
    const { body } = await api.call(jobRoutes.listJobs, { as: "north", query });
    seen.push(...body.data.map((job) => job.id));
    after = body.pagination.next ?? undefined;
  } while (after !== undefined);
  expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
  const { body } = await api.call(jobRoutes.getJob, { as: "north", params: { id: seen[0] ?? "" } });
  expect(body.events.map(({ kind }) => kind)).toEqual(["queued"]);
  await pool.query("update tenantry.jobs set status = 'running', started_at = now() where id = $1", [seen[0]]);
  expect((await api.refused(jobRoutes.cancelJob, { as: "north", params: { id: seen[0] ?? "" } })).error.code).toBe(
    "conflict",
  );
  const running = await api.call(jobRoutes.listJobs, { as: "north", query: { client_id: id, status: "running" } });
  expect(running.body.data.map((job) => job.id)).toEqual([seen[0]]);
  expect((await api.fetchAs("north", "GET", "/jobs?after=rubbish")).status).toBe(400);
});

test("gives a partner root no access to another partner's instances", async () => {
  const begun = (await create(await client("secret", "south"), "root")).body;
  const job = begun.job?.id ?? "";
  for (const [method, path, sent] of [
    ["GET", `/client/instance/${begun.id}`, undefined],
    ["GET", `/client/instance/${begun.id}/health`, undefined],
    ["GET", `/client/instance/${begun.id}/backups`, undefined],
    ["GET", `/client/instance/${begun.id}/log`, undefined],
    ["POST", `/client/instance/${begun.id}/restart`, undefined],
    ["POST", `/client/instance/${begun.id}/backup`, undefined],
    ["PUT", `/client/instance/${begun.id}/worker-plan/free`, undefined],
    ["GET", `/jobs/${job}`, undefined],
    ["POST", `/jobs/${job}/cancel`, undefined],
  ] as const) {
    expect([method, path, (await api.fetchAs("north", method, path, sent)).status]).toEqual([method, path, 404]);
  }
  const cancelled = await api.database.pool.query("select status from tenantry.jobs where id = $1", [job]);
  expect(cancelled.rows).toEqual([{ status: "queued" }]);
  for (const filter of [{}, { instance_id: begun.id }]) {
    const { body } = await api.call(jobRoutes.listJobs, { as: "north", query: { limit: "100", ...filter } });
    expect(body.data.filter(({ slug }) => slug === "secret")).toEqual([]);
  }
});

test("removes an instance, which stops at once, and refuses provisioning until the removal ends", async () => {
  const id = await client("leaver", "north");
  await insertPoolEntry(api.database.db, { gateway_id: "leaving", max_instances: 2 });
  const { id: instance_id } = (await create(id, "north")).body;
  const remove = { as: "north", params: { instance_id } } as const;
  const { status, body } = await api.call(instanceRoutes.removeInstance, remove);
  expect([status, body.status, body.generation, body.job?.kind]).toEqual([202, "stopped", 2, "deprovision"]);
  const again = await api.call(instanceRoutes.removeInstance, remove);
  expect([again.body.job?.id, again.body.generation]).toEqual([body.job?.id, 2]);
  expect(await refused("north", { client_id: id })).toEqual([409, "conflict"]);
  expect((await api.refused(instanceRoutes.removeInstance, { ...remove, as: "south" })).status).toBe(404);
  // Restoring a client cancels its queued removal.
  await api.call(clientRoutes.deleteClient, { as: "north", params: { client_id: id } });
  const back = await api.call(clientRoutes.restoreClient, { as: "north", params: { client_id: id } });
  expect(back.body.instance?.status).toBe("provisioning");
  // Again, without its state.
  const given = await api.call(instanceRoutes.removeInstance, { ...remove, query: { discard_state: "true" } });
  const { rows } = await api.database.pool.query(
    "select id, payload from tenantry.jobs where instance_id = $1 and kind = 'deprovision' order by created_at",
    [instance_id],
  );
  expect(rows).toEqual([
    { id: body.job?.id, payload: { discard_state: false } },
    { id: given.body.job?.id, payload: { discard_state: true } },
  ]);
});

test("rotates the token of a deployed instance with one job at a time", async () => {
  const { id: instance_id } = (await create(await client("rotated", "north"), "north")).body;
  const rotate = { as: "north", params: { instance_id } } as const;
  expect((await api.refused(instanceRoutes.rotateToken, rotate)).error.message).toContain("provisioning");
  await api.database.pool.query("update tenantry.instances set status = 'running' where id = $1", [instance_id]);
  const { status, body } = await api.call(instanceRoutes.rotateToken, rotate);
  expect([status, body.kind]).toEqual([202, "rotate_token"]);
  const { rows } = await api.database.pool.query("select payload from tenantry.jobs where id = $1", [body.id]);
  expect(rows[0].payload).toEqual({ version: 2 });
  expect((await api.refused(instanceRoutes.rotateToken, rotate)).error.code).toBe("conflict");
});

test("lets only a platform root use kept backups, also in a retry", async () => {
  const id = await client("kept", "north");
  const kept = { use_kept_backups: true };
  expect(await refused("north", { client_id: id, ...kept })).toEqual([403, "forbidden"]);
  expect(await written(id)).toBe(0);
  const { body } = await create(id, "root", kept);
  const payloads = async () =>
    (
      await api.database.pool.query(
        "select payload -> 'use_kept_backups' as use_kept_backups from tenantry.jobs where client_id = $1",
        [id],
      )
    ).rows;
  expect(await payloads()).toEqual([kept]);
  await setFailed(body.id);
  await api.database.pool.query(
    "update tenantry.jobs set status = 'failed', started_at = now(), ended_at = now(), cause = 'x' where client_id = $1",
    [id],
  );
  await api.call(jobRoutes.retryJob, { as: "north", params: { id: body.job?.id ?? "" } });
  expect(await payloads()).toEqual([kept, kept]);
});
