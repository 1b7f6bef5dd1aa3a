import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertClientUser } from "#database/testing/fixtures.ts";
import { rollBack, setRolloutStatus } from "#database/versions/rollouts.ts";
import { rolloutRig } from "./testing/rollout-rig.ts";

const rig = rolloutRig();
const { ids, run, change, tenant, begin, end, state, tenants, asked } = rig;

test("announces a change that is not urgent to administrators, and makes it in the window only", async () => {
  // A window that is open, and one on another day.
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
  const { client_id } = await rig.findOne("select client_id from tenantry.instances where id = $1", [shut]);
  await insertClientUser(rig.database.db, { client_id, email: "ada@shut.test", status: "validated" });
  await insertClientUser(rig.database.db, {
    client_id,
    email: "bob@shut.test",
    status: "validated",
    role: "BASE_USER",
  });
  await insertClientUser(rig.database.db, { client_id, email: "eve@shut.test" });
  const id = await begin();
  await run();
  expect(await tenants(id)).toEqual({ open: "changing", shut: "announced" });
  const mails = await rig.database.pool.query("select recipient, data from tenantry.mails where kind = 'maintenance'");
  expect(mails.rows).toMatchObject([{ recipient: "ada@shut.test", data: { timeZone: "UTC" } }]);
  const from = new Date(mails.rows[0].data.from);
  expect([from.getUTCDay() || 7, from.getUTCHours()]).toEqual([weekday(2), now.getUTCHours()]);
  expect(Date.parse(mails.rows[0].data.until) - from.getTime()).toBe(2 * 3_600_000);
  const planned = await rig.findOne(
    "select data from tenantry.events where kind = 'instance.maintenance_planned' order by id desc limit 1",
  );
  expect(planned.data).toMatchObject({ instance_id: shut, mails: 1, not_before: from.toISOString() });

  // A tenant whose window passed waits for the next.
  await rig.database.pool.query(
    "update tenantry.rollout_tenants set not_before = now() - interval '1 hour' where status = 'announced'",
  );
  await run();
  expect((await tenants(id)).shut).toBe("announced");
  const again = await rig.findOne("select not_before from tenantry.rollout_tenants where instance_id = $1", [shut]);
  expect(again.not_before).toEqual(from);
});

test("gives notice without a window, and none when urgent", async () => {
  await tenant("noticed");
  const id = await begin({ noticeHours: 24 });
  await run();
  expect(await tenants(id)).toEqual({ noticed: "announced" });
  const { not_before } = await rig.findOne("select not_before from tenantry.rollout_tenants where rollout_id = $1", [
    id,
  ]);
  expect(not_before.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  await rig.database.db.transaction().execute((tx) => setRolloutStatus(tx, id, "stopped"));
  const urgent = await begin({ noticeHours: 24, isUrgent: true });
  await run();
  expect(await tenants(urgent)).toEqual({ noticed: "changing" });
});

test("skips tenants that cannot be changed, and waits while paused", async () => {
  const removed = await tenant("removed", { is_canary: true });
  await tenant("kept");
  const id = await begin({}, { isPaused: true });
  await run();
  expect(await tenants(id)).toEqual({ removed: "waiting", kept: "waiting" });
  await rig.database.pool.query("update tenantry.instances set status = 'stopped' where id = $1", [removed]);
  await rig.database.db.transaction().execute((tx) => setRolloutStatus(tx, id, "running"));
  await run();
  expect(await tenants(id)).toMatchObject({ removed: "skipped", kept: "changing" });
  await rig.database.pool.query("delete from tenantry.instances where worker_name = 'kept'");
  await run();
  expect(await state(id)).toMatchObject({ status: "succeeded" });
});

test("combines its version with the tenant's current one, and skips pinned tenants and tenants with another version", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["moved", "pinned", "given", "busy"]) await tenant(slug);
  const id = await begin({ waves: [100] }, { to: { imageId: null, bundleId: ids.bundle } });
  await run();
  expect(await tenants(id)).toMatchObject({ canary: "changing", moved: "waiting" });
  await change("moved", { image_id: ids.other });
  await change("pinned", { is_pinned: true });
  await change("given", { bundle_id: ids.bundle });
  const busy = await rig.findOne(
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
    to: { imageId: ids.other, bundleId: ids.bundle },
    from: { imageId: ids.other, bundleId: null },
    backup: null,
    rollout: id,
  });
  // The other job completes, and its result is kept.
  await rig.database.db.transaction().execute((tx) =>
    sql`with ended as (update tenantry.jobs set status = 'succeeded', ended_at = now() where id = ${busy.id})
        update tenantry.instances set image_id = ${ids.other} where worker_name = 'busy'`.execute(tx),
  );
  await run();
  expect(await asked("busy")).toMatchObject({ to: { imageId: ids.other, bundleId: ids.bundle } });
  await end({ moved: "succeeded", busy: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "succeeded" });

  await change("canary", { bundle_id: null });
  await change("moved", { image_id: ids.image });
  await change("busy", { is_pinned: true });
  await rig.database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  expect(await tenants(id)).toMatchObject({
    canary: "skipped",
    moved: "going_back",
    given: "skipped",
    busy: "skipped",
  });
  expect(await asked("moved")).toMatchObject({ to: { imageId: ids.image, bundleId: null }, from: null });
  await end({ moved: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "rolled_back" });
});

test("skips a tenant whose state is from a newer gateway", async () => {
  await tenant("canary", { is_canary: true });
  await tenant("newer");
  const id = await begin();
  await run();
  await change("newer", { image_id: ids.other, reported_gateway: "gw", reported_gateway_version: "3.0.0" });
  await end({ canary: "succeeded" });
  expect(await tenants(id)).toEqual({ canary: "done", newer: "skipped" });
  expect(await state(id)).toMatchObject({ status: "succeeded" });
});
