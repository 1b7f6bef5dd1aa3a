/** Failed and overtaken changes of a version, with a stand-in for the engine. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { beginDeletion, cancelDeletion } from "#database/tenants/deletion/deletion.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { Environment } from "#domain/environment.ts";
import { readVersionsTask } from "../catalogue/reported.ts";
import { EngineRuns } from "../engine/runs.ts";
import { type DispatchWorker, dispatchWorker } from "../outside/dispatch-worker.ts";
import { TenantStacks } from "../stacks/tenant-stacks.ts";
import { type Run, TaskError } from "../task.ts";
import { type HttpStandIn, startHttpStandIn } from "../testing/http-stand-in.ts";
import { jobTask } from "./job.ts";

const environment: Environment = "production";

class RunsStandIn extends EngineRuns {
  fault: Error | undefined;
  override async run(): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
  }
}
const engine = new RunsStandIn({ variables: {}, memoryMib: 1 });

let database: TestDatabase;
let tenantWorker: HttpStandIn;
/** Responses of the dispatch Worker, or functions that return them, by the start of the request. */
let answers: Record<string, unknown>;
let instance: string;
const images: Record<"old" | "new" | "other", string> = { old: "", new: "", other: "" };

const query = async (statement: string, values: unknown[] = []) => (await database.pool.query(statement, values)).rows;
const USUAL = {
  "POST /_backup/": { id: "b1" },
  "GET /_invalidate/": { invalidated: "acme", elsewhereWithinSeconds: 60, cut: "done" },
};

beforeAll(async () => {
  database = await startTestDatabase();
  tenantWorker = await startHttpStandIn((request) => {
    const [, answer] = Object.entries(answers).find(([beginning]) => request.startsWith(beginning)) ?? [];
    return (typeof answer === "function" ? answer() : answer) ?? {};
  });
  for (const [name, digit, version] of [
    ["old", "1", "1.0.0"],
    ["new", "2", "2.0.0"],
    ["other", "3", "1.5.0"],
  ] as const) {
    const add = "insert into tenantry.images (reference, gateway, gateway_version) values ($1, 'gw', $2) returning id";
    images[name] = (await query(add, [`r@sha256:${digit.repeat(64)}`, version]))[0].id;
  }
});
afterAll(async () => {
  await tenantWorker?.stop();
  await database?.stop();
});
beforeEach(async () => {
  answers = { ...USUAL };
  engine.fault = undefined;
  for (const table of ["rollouts", "jobs", "incidents", "instances", "clients"]) {
    await query(`delete from tenantry.${table}`);
  }
  const client = await insertClient(database.db, { slug: "acme", managed_by: "dashboard" });
  instance = await insertInstance(database.db, client, { managed_by: "dashboard", image_id: images.old });
});

const run = (isLast: boolean): Run => ({
  db: database.db,
  log: () => undefined,
  signal: new AbortController().signal,
  attempt: 1,
  isLast,
});
const dispatch = () => dispatchWorker({ DISPATCH_URL: tenantWorker.url, INVALIDATE_TOKEN: "token-of-a-test" });
const readVersions = () => readVersionsTask(environment, dispatch()).run({}, run(false));

async function ask(payload: object = {}): Promise<string> {
  const version = (imageId: string) => ({ imageId, bundleId: null });
  const asked = { to: version(images.new), from: version(images.old), backup: null, ...payload };
  const [row] = await query(
    `insert into tenantry.jobs (kind, slug, client_id, instance_id, generation, requested_by, payload)
     select 'adopt_version', 'acme', client_id, id, generation, 'root@x.test', $2 from tenantry.instances where id = $1
     returning id`,
    [instance, asked],
  );
  return row.id;
}
/** @returns the job's state afterwards */
async function carryOut(
  id: string,
  { isLast = false, backUp }: { isLast?: boolean; backUp?: DispatchWorker["backUp"] } = {},
): Promise<{ status: string; cause: string | null }> {
  const stacks = new TenantStacks({ environment, platformStack: "platform", runs: engine });
  const means = {
    environment,
    dispatch: { ...dispatch(), ...(backUp && { backUp }) },
    stacks,
    capacity: undefined,
    erasing: undefined,
    vendors: undefined,
  };
  await jobTask("operation", means)
    .run({ id }, run(isLast))
    .catch(() => undefined);
  const [job] = await query("select status, cause from tenantry.jobs where id = $1", [id]);
  return job;
}
const wanted = async () =>
  (await query("select image_id from tenantry.instances where id = $1", [instance]))[0].image_id;
const open = () => query("select payload, requested_by from tenantry.jobs where ended_at is null");

test("fails without a change when the state cannot be backed up", async () => {
  const message = "This state is not that of the newest backup. Restore a backup.";
  tenantWorker.next.push({ on: "POST /_backup/", status: 409, body: { error: { code: "conflict", message } } });
  expect(await carryOut(await ask())).toEqual({
    status: "failed",
    cause: `The state could not be backed up before the change: ${message} Nothing was changed.`,
  });
  expect(await wanted()).toBe(images.old);
  expect(await open()).toEqual([]);
});

test("requests one job that restores the former version and its backup when the last attempt leaves the new version", async () => {
  engine.fault = new TaskError({ message: "The account's API does not answer." });
  const id = await ask();
  expect(await carryOut(id)).toMatchObject({ status: "running" });
  expect(await open()).toHaveLength(1);
  expect(await carryOut(id, { isLast: true })).toMatchObject({ status: "failed" });
  expect(await open()).toEqual([
    { payload: { to: { imageId: images.old, bundleId: null }, from: null, backup: "b1" }, requested_by: "service" },
  ]);
  const [{ state_cause }] = await query("select state_cause from tenantry.instances where id = $1", [instance]);
  expect(state_cause).toMatch(/API does not answer.* The former version is being restored\.$/);
});

test("restores the former state in any case when a backup was restored for the new version", async () => {
  engine.fault = new TaskError({ message: "The account's API does not answer." });
  const id = await ask({ backup: "b0" });
  await query("insert into tenantry.job_events (job_id, kind) values ($1, 'restored')", [id]);
  await carryOut(id, { isLast: true });
  expect(await open()).toMatchObject([{ payload: { to: { imageId: images.old }, backup: "b1", always: true } }]);
});

test("leaves a failed tenant to its rollout, unless the rollout was stopped", async () => {
  engine.fault = new TaskError({ message: "The account's API does not answer." });
  const [rollout] = await query(
    `insert into tenantry.rollouts (image_id, waves, soak_minutes, notice_hours, status, requested_by)
     values ($1, '{100}', 0, 0, 'paused', 'root@x.test') returning id`,
    [images.new],
  );
  expect(await carryOut(await ask({ rollout: rollout.id }), { isLast: true })).toMatchObject({ status: "failed" });
  expect([await open(), await wanted()]).toEqual([[], images.new]);
  await query("update tenantry.rollouts set status = 'stopped', ended_at = now() where id = $1", [rollout.id]);
  expect(await carryOut(await ask({ rollout: rollout.id }), { isLast: true })).toMatchObject({ status: "failed" });
  expect(await open()).toMatchObject([{ payload: { to: { imageId: images.old } } }]);
});

test("changes nothing when the job ended during the backup", async () => {
  const id = await ask();
  const backUp = async () => {
    await query("update tenantry.jobs set status = 'failed', ended_at = now(), cause = 'Late.' where id = $1", [id]);
    return "b1";
  };
  expect(await carryOut(id, { backUp })).toEqual({ status: "failed", cause: "Late." });
  expect(await wanted()).toBe(images.old);
});

test("compares the report of a changed frozen tenant after its next start, not when it is resumed", async () => {
  await query("update tenantry.instances set status = 'frozen' where id = $1", [instance]);
  expect(await carryOut(await ask())).toEqual({ status: "succeeded", cause: null });
  await query("update tenantry.instances set status = 'running' where id = $1", [instance]);
  // Report of its last start, while it sleeps.
  const status = { ts: new Date().toISOString(), sandbox: "asleep", warnings: [] };
  answers["GET /_status/"] = { ...status, gateway: { name: "gw", version: "1.0.0" } };
  const incidents = () => query("select kind from tenantry.incidents");
  await readVersions();
  expect([await incidents(), await open()]).toEqual([[], []]);
  await query(
    `insert into tenantry.instance_health_snapshots
       (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms)
     values ($1, true, true, true, true, true, 1)`,
    [instance],
  );
  await readVersions();
  expect(await incidents()).toEqual([{ kind: "version_differs" }]);
});

test("waits for the former version's container, whose failed upgrade does not count, before it restores a backup", async () => {
  await query("update tenantry.instances set image_id = $1 where id = $2", [images.new, instance]);
  const backup = "b1";
  const ts = new Date().toISOString();
  const status = { ts, sandbox: "awake", warnings: [] };
  const version = (text: string) => ({ name: "gw", version: text });
  const upgrade = { state: "failed", from: version("1.0.0"), to: version("2.0.0"), backup };
  const statuses: unknown[] = [
    { ...status, gateway: version("2.0.0"), upgrade },
    { ...status, gateway: version("1.0.0") },
  ];
  const probe = { ok: true, status: "success", latencyMs: 1 };
  const health = { startup: probe, readiness: probe, liveness: probe };
  answers = {
    ...USUAL,
    "POST /_start/": { ts, ...health, restoreStatus: { hadBackup: true, restored: true }, status: "running" },
    "POST /_restore/": { restored: backup },
    "GET /_status/": () => (statuses.length > 1 ? statuses.shift() : statuses[0]),
  };
  const heard = tenantWorker.heard.length;
  const payload = { to: { imageId: images.old, bundleId: null }, from: null, backup, always: true };
  expect(await carryOut(await ask(payload))).toEqual({ status: "succeeded", cause: null });
  const calls = tenantWorker.heard.slice(heard).map(({ request }) => request.split("/")[1]);
  expect(calls.filter((call) => call === "_status" || call === "_restore")).toEqual([
    ...["_status", "_status", "_restore", "_status"],
  ]);
});

async function setPin(kind: string): Promise<void> {
  await query("update tenantry.instances set is_pinned = true where id = $1", [instance]);
  await query("update tenantry.instances set pinned_by_kind = $2 where id = $1", [instance, kind]);
}
/** Deletes the client as its ADMIN does, or restores it. */
async function setDeleted(isDeleted: boolean): Promise<void> {
  const [{ client_id: clientId }] = await query("select client_id from tenantry.instances where id = $1", [instance]);
  const client = { clientId, slug: "acme", environment };
  const requestedBy = "ada@acme.test";
  await database.db.transaction().execute(async (tx) => {
    if (isDeleted) await beginDeletion(tx, client, { deleteAfter: new Date(Date.now() + 60_000), requestedBy });
    else await cancelDeletion(tx, client, { requestedBy, takesBackRemoval: false });
  });
}
const ANOTHER = "Another operation on the instance has begun. Request this one again after it if it is still needed.";

test.each([
  [
    "another change or a rollout",
    () => query("update tenantry.instances set image_id = $2 where id = $1", [instance, images.other]),
    "The version was changed after this change was planned. Plan it again if it is still needed.",
  ],
  [
    "a pin of an operator",
    () => setPin("platform_root"),
    "An operator pinned the version after this change was planned. Ask your operator to unpin it, and plan the change again.",
  ],
  ["the deletion of the client", () => setDeleted(true), ANOTHER],
  ["a deletion that was undone", () => setDeleted(true).then(() => setDeleted(false)), ANOTHER],
])("a planned change ends without an effect after %s", async (_, overtake, cause) => {
  const id = await ask({ planned: true });
  await overtake();
  const before = await wanted();
  const heard = tenantWorker.heard.length;
  expect(await carryOut(id)).toEqual({ status: "cancelled", cause });
  expect(await wanted()).toBe(before);
  expect((await open()).filter(({ payload }) => "to" in payload)).toEqual([]);
  expect(tenantWorker.heard.slice(heard)).toEqual([]);
});

test.each([
  ["a pin of an ADMIN, which holds for rollouts only", () => setPin("client_admin")],
  ["a change of the plan", () => query("update tenantry.clients set billing_plan = 'pro' where slug = 'acme'")],
])("a planned change goes ahead after %s", async (_, change) => {
  const id = await ask({ planned: true });
  await change();
  engine.fault = new TaskError({ message: "The account's API does not answer." });
  expect(await carryOut(id)).toMatchObject({ status: "running" });
  expect(await wanted()).toBe(images.new);
});

test("a planned change to a version that was withdrawn fails without a change", async () => {
  const id = await ask({ planned: true });
  await query("update tenantry.images set withdrawn_at = now() where id = $1", [images.new]);
  const job = await carryOut(id);
  await query("update tenantry.images set withdrawn_at = null where id = $1", [images.new]);
  expect([job.status, job.cause]).toEqual(["failed", expect.stringContaining("withdrawn before its planned start")]);
  expect(await wanted()).toBe(images.old);
});
