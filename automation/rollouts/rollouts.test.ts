import { expect, test } from "vitest";
import { rollBack } from "#database/versions/rollouts.ts";
import { rolloutRig } from "./testing/rollout-rig.ts";

const rig = rolloutRig();
const { ids, run, makeDefault, tenant, begin, end, state, tenants, asked, isDefault } = rig;

test("proceeds from the canaries through its waves, then becomes the default for new tenants", async () => {
  await tenant("canary", { is_canary: true });
  for (const slug of ["a", "b", "c"]) await tenant(slug);
  const id = await begin();
  await run();
  expect(await tenants(id)).toEqual({ canary: "changing", a: "waiting", b: "waiting", c: "waiting" });
  expect(await asked("canary")).toEqual({
    to: { imageId: ids.image, bundleId: null },
    from: { imageId: ids.before, bundleId: null },
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
  expect([await isDefault(ids.before), await isDefault(ids.image)]).toEqual([false, true]);
  const kinds = await rig.database.pool.query(
    "select kind from tenantry.events where kind like 'rollout.%' order by id",
  );
  expect(kinds.rows.map(({ kind }) => kind)).toEqual(["rollout.wave", "rollout.wave", "rollout.ended"]);

  // A later rollback restores each tenant with its backup, and the default.
  await rig.database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  expect(await asked("a")).toEqual({
    to: { imageId: ids.before, bundleId: null },
    from: null,
    backup: "backup-of-a",
    rollout: id,
  });
  await end({ canary: "succeeded", a: "succeeded", b: "succeeded", c: "succeeded" });
  expect((await state(id)).status).toBe("rolled_back");
  expect([await isDefault(ids.before), await isDefault(ids.image)]).toEqual([true, false]);
});

test("stops when a change fails and takes only that wave back", async () => {
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
  // A change in progress completes and is then rolled back.
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
  expect(await isDefault(ids.before)).toBe(true);
});

test("gives up a wave when a watched tenant has an incident, and waits while its last probe failed", async () => {
  const instance = await tenant("watched", { is_canary: true });
  await tenant("next");
  const id = await begin({ soakMinutes: 60 });
  await run();
  await end({ watched: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "running", wave: 0 });
  await rig.database.pool.query(
    "update tenantry.rollout_tenants set changed_at = now() - interval '2 hours' where rollout_id = $1",
    [id],
  );
  const insertProbe =
    "insert into tenantry.instance_health_snapshots (instance_id, startup_ok, readiness_ok, liveness_ok, had_backup, restored, latency_ms) values ($1, true, $2, $2, true, true, 1)";
  await rig.database.pool.query(insertProbe, [instance, false]);
  await run();
  expect(await state(id)).toMatchObject({ status: "running", wave: 0 });
  await rig.database.pool.query(
    `insert into tenantry.incidents (client_id, instance_id, kind, cause, remedy)
     select client_id, id, 'gateway_dead', 'It is dead.', 'x' from tenantry.instances where id = $1`,
    [instance],
  );
  await run();
  expect(await state(id)).toMatchObject({ status: "rolling_back", cause: "watched: It is dead." });
  expect(await tenants(id)).toEqual({ watched: "going_back", next: "skipped" });
});

test("rolls back late and overtaken tenants, and stuck tenants on a later request", async () => {
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
  const back = { to: { imageId: ids.before, bundleId: null }, from: null, rollout: id };
  for (const slug of wave) expect(await asked(slug)).toEqual({ ...back, backup: `backup-of-${slug}` });
  await end({ [good]: "succeeded", [late]: "succeeded", [overtaken]: "failed" });
  expect(await state(id)).toMatchObject({ status: "failed" });
  expect(await tenants(id)).toMatchObject({
    canary: "done",
    [good]: "gone_back",
    [late]: "gone_back",
    [overtaken]: "stuck",
  });

  await rig.database.db.transaction().execute((tx) => rollBack(tx, id, { cause: null }));
  await run();
  await end({ canary: "succeeded", [overtaken]: "succeeded" });
  expect(await state(id)).toMatchObject({ status: "rolled_back" });
  expect(await tenants(id)).toMatchObject({ canary: "gone_back", [overtaken]: "gone_back" });
});

test("keeps the default version when the rollout of that version fails", async () => {
  await tenant("behind");
  await makeDefault(ids.image);
  const id = await begin();
  await run();
  await end({ behind: "failed" });
  expect(await state(id)).toMatchObject({ status: "failed" });
  expect(await isDefault(ids.image)).toBe(true);
});
