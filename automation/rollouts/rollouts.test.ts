/** A roll-out carried on by the service; what becomes of its jobs is the test's to say, since nothing here runs an engine. */
import { sql, type Updateable } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import { insertRollout, rollBack, rolloutCandidates, setRolloutStatus } from "#database/versions/rollouts.ts";
import type { Version } from "#domain/rollouts/version.ts";
import { requestRun } from "../testing/requested-run.ts";
import { startTestService } from "../testing/test-service.ts";

let database: TestDatabase;
let service: Awaited<ReturnType<typeof startTestService>>;
let image: string;
let other: string;
let before: string;
let bundle: string;
const one = async (statement: string, values: unknown[] = []) => (await database.pool.query(statement, values)).rows[0];
const run = () => requestRun(database, "rollouts");

beforeAll(async () => {
  database = await startTestDatabase();
  service = await startTestService(database);
  const add = "insert into tenantry.images (reference, gateway, gateway_version) values ($1, 'gw', $2) returning id";
  before = (await one(add, [`r@sha256:${"1".repeat(64)}`, "1.0.0"])).id;
  image = (await one(add, [`r@sha256:${"2".repeat(64)}`, "2.0.0"])).id;
  other = (await one(add, [`r@sha256:${"3".repeat(64)}`, "3.0.0"])).id;
  bundle = (
    await one(
      "insert into tenantry.worker_bundles (content_hash, release, content) values ($1, '9', 'x') returning id",
      ["b".repeat(64)],
    )
  ).id;
});
afterAll(async () => {
  await service.stop();
  await database.stop();
});
beforeEach(async () => {
  for (const table of ["rollouts", "incidents", "mails", "events", "instances", "clients"]) {
    await database.pool.query(`delete from tenantry.${table}`);
  }
  await makeDefault(before);
});

async function makeDefault(id: string): Promise<void> {
  await database.pool.query("update tenantry.images set is_default = false");
  await database.pool.query("update tenantry.images set is_default = true where id = $1", [id]);
}

async function change(slug: string, values: Partial<Updateable<DB["tenantry.instances"]>>): Promise<void> {
  const { numUpdatedRows } = await database.db
    .updateTable("tenantry.instances")
    .set(values)
    .where("worker_name", "=", slug)
    .executeTakeFirst();
  expect(numUpdatedRows, slug).toBe(1n);
}

async function tenant(slug: string, client: Record<string, unknown> = {}): Promise<string> {
  const id = await insertClient(database.db, { slug, managed_by: "dashboard", ...client });
  return insertInstance(database.db, id, { managed_by: "dashboard", image_id: before, worker_name: slug });
}

async function begin(
  values: { waves?: number[]; noticeHours?: number; isUrgent?: boolean; soakMinutes?: number } = {},
  { isPaused = false, to = { imageId: image, bundleId: null } }: { isPaused?: boolean; to?: Version } = {},
) {
  const usual = { waves: [50, 100], soakMinutes: 0, noticeHours: 0, isUrgent: false, requestedBy: "root@x.test" };
  return database.db.transaction().execute(async (tx) => {
    const { reached } = await rolloutCandidates(tx, "production", to);
    const id = await insertRollout(tx, { ...to, ...usual, ...values }, reached);
    if (isPaused) await setRolloutStatus(tx, id, "paused");
    return id;
  });
}

/** How a job ends. `failed`: it took the tenant back. `late`, `overtaken`: it left the tenant with the new version. */
const ENDS = { succeeded: "succeeded", failed: "failed", late: "failed", overtaken: "cancelled" };

/** Ends the jobs that are open, as the test says of each tenant. */
async function end(outcomes: Record<string, keyof typeof ENDS>): Promise<void> {
  for (const [slug, how] of Object.entries(outcomes)) {
    // In one statement, as the clock has roll-outs carried on besides.
    const { rowCount } = await database.pool.query(
      `with ended as (
         update tenantry.jobs set status = $2, ended_at = now(), cause = case when $2 = 'failed' then 'It broke.' end
         where slug = $1 and kind = 'adopt_version' and ended_at is null returning id, instance_id, payload -> 'to' as wanted),
       adopted as (
         update tenantry.instances i set image_id = (e.wanted ->> 'imageId')::uuid, bundle_id = (e.wanted ->> 'bundleId')::uuid
         from ended e where e.instance_id = i.id and $4)
       insert into tenantry.job_events (job_id, kind, data) select id, 'backed_up', $3 from ended`,
      [slug, ENDS[how], { backup: `backup-of-${slug}` }, how !== "failed"],
    );
    expect(rowCount, `jobs of ${slug}`).toBe(1);
  }
  await run();
}

const state = async (id: string) => {
  const { status, wave, cause } = await one("select status, wave, cause from tenantry.rollouts where id = $1", [id]);
  return { status, wave, cause };
};
const tenants = async (id: string): Promise<Record<string, string>> => {
  const { rows } = await database.pool.query(
    `select c.slug, t.status from tenantry.rollout_tenants t join tenantry.instances i on i.id = t.instance_id
     join tenantry.clients c on c.id = i.client_id where t.rollout_id = $1 order by 1`,
    [id],
  );
  return Object.fromEntries(rows.map(({ slug, status }) => [slug, status]));
};
const asked = async (slug: string) => {
  const found = await one(
    "select payload from tenantry.jobs where slug = $1 and kind = 'adopt_version' order by created_at desc limit 1",
    [slug],
  );
  return found?.payload;
};
const isDefault = async (id: string) =>
  (await one("select is_default from tenantry.images where id = $1", [id])).is_default;

test("goes from the canaries through its waves, and then is what new tenants get", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["a", "b", "c"]) await tenant(slug);
  const id = await begin();
  await run();
  expect(await tenants(id)).toEqual({ canary: "changing", a: "waiting", b: "waiting", c: "waiting" });
  expect(await asked("canary")).toEqual({
    to: { imageId: image, bundleId: null },
    from: { imageId: before, bundleId: null },
    backup: null,
    rollout: id,
  });
  await end({ canary: "succeeded" });
  expect((await state(id)).wave).toBe(1);
  const second = Object.entries(await tenants(id)).flatMap(([slug, status]) => (status === "changing" ? [slug] : []));
  expect(second).toHaveLength(1);
  await end({ [second[0] ?? ""]: "succeeded" });
  expect((await state(id)).wave).toBe(2);
  const last = Object.entries(await tenants(id)).flatMap(([slug, status]) => (status === "changing" ? [slug] : []));
  await end(Object.fromEntries(last.map((slug) => [slug, "succeeded" as const])));
  expect(await state(id)).toMatchObject({ status: "succeeded", cause: null });
  expect([await isDefault(before), await isDefault(image)]).toEqual([false, true]);
  const kinds = await database.pool.query("select kind from tenantry.events where kind like 'rollout.%' order by id");
  expect(kinds.rows.map(({ kind }) => kind)).toEqual(["rollout.wave", "rollout.wave", "rollout.ended"]);

  // All of it is taken back later, each with the backup of before, and so is what new tenants get.
  await database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  expect(await asked("a")).toEqual({
    to: { imageId: before, bundleId: null },
    from: null,
    backup: "backup-of-a",
    rollout: id,
  });
  await end({ canary: "succeeded", a: "succeeded", b: "succeeded", c: "succeeded" });
  expect((await state(id)).status).toBe("rolled_back");
  expect([await isDefault(before), await isDefault(image)]).toEqual([true, false]);
});

test("stops by itself when a change fails, takes that wave back, and leaves the waves before and after as they are", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["a", "b", "c", "d", "e"]) await tenant(slug);
  const id = await begin({ waves: [70, 100] });
  await run();
  await end({ canary: "succeeded" });
  const wave = Object.entries(await tenants(id)).flatMap(([slug, status]) => (status === "changing" ? [slug] : []));
  expect(wave).toHaveLength(3);
  const [good = "", bad = "", late = ""] = wave;
  await end({ [good]: "succeeded" });
  await end({ [bad]: "failed" });
  expect(await state(id)).toEqual({ status: "rolling_back", wave: 1, cause: `${bad}: It broke.` });
  // What is being changed still is let end, and taken back then.
  expect(await tenants(id)).toMatchObject({
    canary: "done",
    [good]: "going_back",
    [bad]: "failed",
    [late]: "changing",
  });
  await end({ [late]: "succeeded", [good]: "succeeded" });
  expect((await tenants(id))[late]).toBe("going_back");
  await end({ [late]: "failed" });
  expect(await state(id)).toMatchObject({ status: "failed" });
  const ended = await tenants(id);
  expect(ended).toMatchObject({ canary: "done", [good]: "gone_back", [bad]: "failed", [late]: "stuck" });
  expect(Object.values(ended).filter((status) => status === "skipped")).toHaveLength(2);
  expect(await isDefault(before)).toBe(true);
});

test("gives a wave up whose tenant has an incident while it is watched, and waits while its last look is a bad one", async () => {
  const instance = await tenant("watched", { is_canary: true });
  await tenant("next");
  const id = await begin({ soakMinutes: 60 });
  await run();
  await end({ watched: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "running", wave: 0 });
  await database.pool.query(
    "update tenantry.rollout_tenants set changed_at = now() - interval '2 hours' where rollout_id = $1",
    [id],
  );
  const look =
    "insert into tenantry.instance_health_snapshots (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms) values ($1, true, $2, $2, true, true, 1)";
  await database.pool.query(look, [instance, false]);
  await run();
  expect(await state(id)).toMatchObject({ status: "running", wave: 0 });
  await database.pool.query(
    `insert into tenantry.incidents (client_id, instance_id, kind, cause, remedy)
     select client_id, id, 'gateway_dead', 'It is dead.', 'x' from tenantry.instances where id = $1`,
    [instance],
  );
  await run();
  expect(await state(id)).toMatchObject({ status: "rolling_back", cause: "watched: It is dead." });
  expect(await tenants(id)).toEqual({ watched: "going_back", next: "skipped" });
});

test("announces what is not urgent to a tenant's administrators, and changes it in its window alone", async () => {
  // A window that opened an hour ago, and one that is a day off.
  const now = new Date();
  const weekday = (offset: number) => new Date(now.getTime() + offset * 86_400_000).getUTCDay() || 7;
  const hour = `${String(now.getUTCHours()).padStart(2, "0")}:00`;
  const window = (day: number) => ({
    maintenance_days: [day],
    maintenance_start: hour,
    maintenance_hours: 2,
    maintenance_zone: "UTC",
  });
  await tenant("open", { is_canary: true, ...window(weekday(0)) });
  const shut = await tenant("shut", { is_canary: true, ...window(weekday(2)) });
  const { client_id } = await one("select client_id from tenantry.instances where id = $1", [shut]);
  await insertClientUser(database.db, { client_id, email: "ada@shut.test", status: "validated" });
  await insertClientUser(database.db, { client_id, email: "bob@shut.test", status: "validated", role: "BASE_USER" });
  await insertClientUser(database.db, { client_id, email: "eve@shut.test" });
  const id = await begin();
  await run();
  expect(await tenants(id)).toEqual({ open: "changing", shut: "announced" });
  const mails = await database.pool.query("select recipient, data from tenantry.mails where kind = 'maintenance'");
  expect(mails.rows).toMatchObject([{ recipient: "ada@shut.test", data: { timeZone: "UTC" } }]);
  const from = new Date(mails.rows[0].data.from);
  expect([from.getUTCDay() || 7, from.getUTCHours()]).toEqual([weekday(2), now.getUTCHours()]);
  expect(Date.parse(mails.rows[0].data.until) - from.getTime()).toBe(2 * 3_600_000);
  const planned = await one(
    "select data from tenantry.events where kind = 'instance.maintenance_planned' order by id desc limit 1",
  );
  expect(planned.data).toMatchObject({ instance_id: shut, mails: 1, not_before: from.toISOString() });

  // Whose time passed while nobody was there waits for the next.
  await database.pool.query(
    "update tenantry.rollout_tenants set not_before = now() - interval '1 hour' where status = 'announced'",
  );
  await run();
  expect((await tenants(id)).shut).toBe("announced");
  const again = await one("select not_before from tenantry.rollout_tenants where instance_id = $1", [shut]);
  expect(again.not_before).toEqual(from);
});

test("gives notice where there is no window, and none of what is urgent", async () => {
  await tenant("noticed");
  const id = await begin({ noticeHours: 24 });
  await run();
  expect(await tenants(id)).toEqual({ noticed: "announced" });
  const { not_before } = await one("select not_before from tenantry.rollout_tenants where rollout_id = $1", [id]);
  expect(not_before.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  await database.db.transaction().execute((tx) => setRolloutStatus(tx, id, "stopped"));
  const urgent = await begin({ noticeHours: 24, isUrgent: true });
  await run();
  expect(await tenants(urgent)).toEqual({ noticed: "changing" });
});

test("leaves alone whom it can no longer change, and waits while it is paused", async () => {
  const removed = await tenant("removed", { is_canary: true });
  await tenant("kept");
  const id = await begin({}, { isPaused: true });
  await run();
  expect(await tenants(id)).toEqual({ removed: "waiting", kept: "waiting" });
  await database.pool.query("update tenantry.instances set status = 'stopped' where id = $1", [removed]);
  await database.db.transaction().execute((tx) => setRolloutStatus(tx, id, "running"));
  await run();
  expect(await tenants(id)).toMatchObject({ removed: "skipped", kept: "changing" });
  await database.pool.query("delete from tenantry.instances where worker_name = 'kept'");
  await run();
  expect(await state(id)).toMatchObject({ status: "succeeded" });
});

test("takes back whom a change left with the new version too, as it was late or overtaken; by hand once more who is stuck", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["a", "b", "c", "d", "e"]) await tenant(slug);
  const id = await begin({ waves: [70, 100] });
  await run();
  await end({ canary: "succeeded" });
  const wave = Object.entries(await tenants(id)).flatMap(([slug, status]) => (status === "changing" ? [slug] : []));
  const [good = "", late = "", overtaken = ""] = wave;
  await end({ [good]: "succeeded", [overtaken]: "overtaken" });
  expect(await tenants(id)).toMatchObject({ [good]: "done", [overtaken]: "skipped" });
  await end({ [late]: "late" });
  expect(await state(id)).toEqual({ status: "rolling_back", wave: 1, cause: `${late}: It broke.` });
  const back = { to: { imageId: before, bundleId: null }, from: null, rollout: id };
  for (const slug of wave) expect(await asked(slug)).toEqual({ ...back, backup: `backup-of-${slug}` });
  await end({ [good]: "succeeded", [late]: "succeeded", [overtaken]: "failed" });
  expect(await state(id)).toMatchObject({ status: "failed" });
  expect(await tenants(id)).toMatchObject({
    canary: "done",
    [good]: "gone_back",
    [late]: "gone_back",
    [overtaken]: "stuck",
  });

  await database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  await end({ canary: "succeeded", [overtaken]: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "rolled_back" });
  expect(await tenants(id)).toMatchObject({ canary: "gone_back", [overtaken]: "gone_back" });
});

test("brings its own to what a tenant runs when its turn comes, and passes by who was pinned or given another version since", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["moved", "pinned", "given", "busy"]) await tenant(slug);
  const id = await begin({ waves: [100] }, { to: { imageId: null, bundleId: bundle } });
  await run();
  expect(await tenants(id)).toMatchObject({ canary: "changing", moved: "waiting" });
  await change("moved", { image_id: other });
  await change("pinned", { is_pinned: true });
  await change("given", { bundle_id: bundle });
  const busy = await one(
    `insert into tenantry.jobs (kind, slug, client_id, instance_id, requested_by)
     select 'adopt_version', worker_name, client_id, id, 'ada@x.test' from tenantry.instances where worker_name = 'busy' returning id`,
  );
  await end({ canary: "succeeded" });
  expect(await tenants(id)).toEqual({
    canary: "done",
    moved: "changing",
    pinned: "skipped",
    given: "skipped",
    busy: "announced",
  });
  expect(await asked("moved")).toEqual({
    to: { imageId: other, bundleId: bundle },
    from: { imageId: other, bundleId: null },
    backup: null,
    rollout: id,
  });
  // What is under way is let end, and what comes of it is kept.
  await database.db.transaction().execute((tx) =>
    sql`with ended as (update tenantry.jobs set status = 'succeeded', ended_at = now() where id = ${busy.id})
        update tenantry.instances set image_id = ${other} where worker_name = 'busy'`.execute(tx),
  );
  await run();
  expect(await asked("busy")).toMatchObject({ to: { imageId: other, bundleId: bundle } });
  await end({ moved: "succeeded", busy: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "succeeded" });

  await change("canary", { bundle_id: null });
  await change("moved", { image_id: image });
  await change("busy", { is_pinned: true });
  await database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  expect(await tenants(id)).toMatchObject({
    canary: "skipped",
    moved: "going_back",
    given: "skipped",
    busy: "skipped",
  });
  expect(await asked("moved")).toMatchObject({ to: { imageId: image, bundleId: null }, from: null });
  await end({ moved: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "rolled_back" });
});

test("passes by whose state is of a newer gateway than the image by now", async () => {
  await tenant("canary", { is_canary: true });
  await tenant("newer");
  const id = await begin();
  await run();
  await change("newer", { image_id: other, reported_gateway: "gw", reported_gateway_version: "3.0.0" });
  await end({ canary: "succeeded" });
  expect(await tenants(id)).toEqual({ canary: "done", newer: "skipped" });
  expect(await state(id)).toMatchObject({ status: "succeeded" });
});

test("one that fails leaves to new tenants what they got, though that was the very version", async () => {
  await tenant("behind");
  await makeDefault(image);
  const id = await begin();
  await run();
  await end({ behind: "failed" });
  expect(await state(id)).toMatchObject({ status: "failed" });
  expect(await isDefault(image)).toBe(true);
});
