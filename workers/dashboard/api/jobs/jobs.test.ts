/** Retries of failed jobs: who may request them, what the new job does, and which jobs cannot be retried. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { asRoot } from "#database/testing/billing.ts";
import { insertClient, insertInstance, insertPoolEntry } from "#database/testing/fixtures.ts";
import { cancelJob } from "#database/work/job-list.ts";
import { requestJob } from "#database/work/job-request.ts";
import { endJob } from "#database/work/jobs.ts";
import { jobKinds } from "#domain/entities/job.ts";
import { jobRequesters, jobRoutes } from "#workers/contracts/api/jobs.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.stop());

type Kind = (typeof jobKinds)[number];

/** A running tenant of the partner north, managed by the dashboard. */
async function tenant(slug: string, values: Record<string, unknown> = {}, client: Record<string, unknown> = {}) {
  const { db } = api.database;
  const { north } = api.partners;
  const owner = { managed_by: "dashboard" };
  const clientId = await insertClient(db, { slug, partner_id: north, ...owner, ...client });
  return { slug, clientId, instanceId: await insertInstance(db, clientId, { ...owner, ...values }) };
}
type Tenant = Awaited<ReturnType<typeof tenant>>;

async function failedJob(of: Tenant, kind: Kind, payload: object = {}, generation?: number) {
  const { db } = api.database;
  const request = { ...of, kind, payload, requestedBy: "root@north.test", environment: "production" };
  const id = await requestJob(db, { ...request, ...(generation !== undefined && { generation }) });
  await endJob(db, id, "failed", "Something was away.");
  return id;
}
const retry = (as: As, id: string) => api.call(jobRoutes.retryJob, { as, params: { id } });
const refused = async (as: As, id: string) => (await api.refused(jobRoutes.retryJob, { as, params: { id } })).error;
const payloadOf = async (id: string) =>
  (await api.database.pool.query("select payload from tenantry.jobs where id = $1", [id])).rows[0]?.payload;

test("retries a failed change of the plan once, although the client has the plan already", async () => {
  const of = await tenant("planned", {}, { billing_plan: "pro" });
  const failed = await failedJob(of, "change_plan", { from: "basic", to: "pro" });
  const { status, body } = await retry("north", failed);
  expect(status).toBe(202);
  expect(body).toMatchObject({
    kind: "change_plan",
    status: "queued",
    slug: "planned",
    requested_by: "root@north.test",
  });
  expect(await payloadOf(body.id)).toEqual({ from: "basic", to: "pro" });
  const reported = (await api.call(jobRoutes.getJob, { as: "north", params: { id: failed } })).body;
  expect([reported.status, reported.followed_by, body.followed_by]).toEqual(["failed", body.id, null]);
  expect(await refused("root", failed)).toMatchObject({ code: "conflict", details: { job_id: body.id } });
  expect((await refused("root", body.id)).message).toContain("queued");
});

test("retries a cancelled change of the plan", async () => {
  const of = await tenant("called-off", {}, { billing_plan: "pro" });
  const job = await requestJob(api.database.db, {
    ...of,
    kind: "change_plan",
    payload: { from: "basic", to: "pro" },
    requestedBy: "root@north.test",
  });
  await api.call(jobRoutes.cancelJob, { as: "north", params: { id: job } });
  const reported = await api.database.pool.query(
    "select kind, partner_id from tenantry.events where data ->> 'job_id' = $1",
    [job],
  );
  expect(reported.rows).toEqual([{ kind: "job.cancelled", partner_id: api.partners.north }]);
  const { body } = await retry("north", job);
  expect(await payloadOf(body.id)).toEqual({ from: "basic", to: "pro" });
  const { rows } = await api.database.pool.query("select billing_plan from tenantry.clients where id = $1", [
    of.clientId,
  ]);
  expect(rows).toEqual([{ billing_plan: "pro" }]);
});

test("retries a failed provisioning with the same gateway", async () => {
  const { db, pool } = api.database;
  const gateway = await insertPoolEntry(db, { gateway_id: "pooled", max_instances: 3 });
  await insertPoolEntry(db, { gateway_id: "emptier", max_instances: 9 });
  const bound = { ai_gateway_id: "pooled", ai_gateway_pool_id: gateway };
  const of = await tenant("provisioned", { status: "provisioning", ...bound });
  const job = await failedJob(of, "provision");
  expect((await refused("north", job)).message).toContain("provisioning");
  await pool.query("update tenantry.instances set status = 'error', state_cause = 'It failed.' where id = $1", [
    of.instanceId,
  ]);
  const { body } = await retry("north", job);
  expect(body).toMatchObject({ kind: "provision", status: "queued" });
  expect((await payloadOf(body.id)).gateway).toMatchObject({ ai_gateway_id: "pooled" });
});

test("retries token rotations, restores and removals with the first request's values", async () => {
  const of = await tenant("several");
  const token = await retry("north", await failedJob(of, "rotate_token", { version: 2 }));
  expect(await payloadOf(token.body.id)).toEqual({ version: 2 });
  const wanted = { backup_id: "b-1", discard_present: true };
  const restore = await retry("north", await failedJob(of, "restore_backup", wanted));
  expect(await payloadOf(restore.body.id)).toEqual(wanted);
  const removal = await retry("north", await failedJob(of, "deprovision", { discard_state: true }));
  expect(removal.body).toMatchObject({ kind: "deprovision", status: "queued" });
  expect(await payloadOf(removal.body.id)).toEqual({ discard_state: true });
});

test("retries a notification of the dispatch Worker, unless another operation followed", async () => {
  const of = await tenant("icy", { status: "frozen" });
  const { rows } = await api.database.pool.query("select generation from tenantry.instances where id = $1", [
    of.instanceId,
  ]);
  const generation = Number(rows[0]?.generation);
  const stale = await failedJob(of, "resume", { cause: "asked" }, generation + 1);
  expect((await refused("north", stale)).message).toContain("A later operation");
  const { body } = await retry("north", await failedJob(of, "freeze", { cause: "credit" }, generation));
  expect([await payloadOf(body.id), body.generation]).toEqual([{ cause: "credit" }, generation]);
});

test("lets only platform roots retry changes of versions and gateways", async () => {
  const of = await tenant("versioned", { ai_gateway_id: "own" });
  const version = await failedJob(of, "adopt_version", {
    to: { imageId: null, bundleId: null },
    from: { imageId: null, bundleId: null },
    backup: null,
  });
  const move = await failedJob(of, "assign_gateway", { kind: "external", from: "own", ai_gateway_id: "another" });
  for (const job of [version, move]) expect((await refused("north", job)).code).toBe("forbidden");
  expect((await retry("root", version)).body.kind).toBe("adopt_version");
  expect(await payloadOf((await retry("root", move)).body.id)).toMatchObject({ from: "own", ai_gateway_id: "another" });
});

test("lets the roles that may request a job cancel it, except jobs of a rollout", async () => {
  const of = await tenant("queued", { ai_gateway_id: "own" });
  const queue = (kind: Kind, payload: object = {}) =>
    requestJob(api.database.db, { ...of, kind, payload, requestedBy: "root@platform.test", environment: "production" });
  const cancel = (as: As, id: string) => api.refused(jobRoutes.cancelJob, { as, params: { id } });
  const state = async (id: string) => (await api.call(jobRoutes.getJob, { as: "north", params: { id } })).body.status;
  const version = { to: { imageId: null, bundleId: null }, from: null, backup: null };
  const kinds = [await queue("adopt_version", version), await queue("assign_gateway")];
  for (const id of kinds) {
    expect((await cancel("north", id)).error).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("requires the role ROOT"),
    });
    expect(await state(id)).toBe("queued");
    await api.call(jobRoutes.cancelJob, { as: "root", params: { id } });
    expect(await state(id)).toBe("cancelled");
  }
  const rollout = crypto.randomUUID();
  const rolled = await queue("adopt_version", { ...version, rollout });
  expect((await api.call(jobRoutes.getJob, { as: "root", params: { id: rolled } })).body.rollout_id).toBe(rollout);
  expect((await cancel("root", rolled)).error.message).toContain("stop the rollout instead");
  const final = await queue("final_backup");
  for (const as of ["north", "root"] as const) expect((await cancel(as, final)).error.code).toBe("conflict");
  // Otherwise a door, a token or a key that was deleted would stay in use.
  for (const kind of ["invalidate", "push_channels", "push_provider_keys", "push_egress"] as const) {
    expect((await cancel("north", await queue(kind))).error.reason).toBe("push_job_not_cancellable");
  }
  // The database enforces it for every caller.
  const asked = async (kind: "platform_root" | "partner_root", email: string, id: string) => {
    const { rows } = await api.database.pool.query("select id from tenantry.dashboard_users where email = $1", [email]);
    return asRoot(api.database.db, kind, rows[0].id, (tx) => cancelJob(tx, id));
  };
  const move = await queue("assign_gateway");
  expect(await asked("partner_root", "root@north.test", move)).toBe(false);
  for (const id of [rolled, final]) expect(await asked("platform_root", "root@platform.test", id)).toBe(false);
  expect(await asked("platform_root", "root@platform.test", move)).toBe(true);
});

test("refuses retries for tenants of Git, deleted instances, other partners and the service's own jobs", async () => {
  const git = await tenant("gits", { managed_by: "git" }, { managed_by: "git" });
  expect((await refused("root", await failedJob(git, "rotate_token"))).code).toBe("managed_by_git");
  const of = await tenant("left");
  const job = await failedJob(of, "rotate_token");
  expect((await refused("south", job)).code).toBe("not_found");
  const final = await failedJob(of, "final_backup");
  expect((await refused("root", final)).message).toContain("service");
  await api.database.pool.query("delete from tenantry.instances where id = $1", [of.instanceId]);
  expect((await refused("north", job)).message).toContain("was deleted");
  expect(jobKinds.filter((kind) => jobRequesters[kind].length === 0)).toEqual([
    "final_backup",
    "delete_client",
    "redeploy",
  ]);
});
