/** The catalogue, versions of instances, and rollouts over HTTP, for platform roots only. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type Image, imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
let first: Image;
let second: Image;
beforeAll(async () => {
  api = await startApi();
  first = await add("1.0.0");
  second = await add("2.0.0");
});
afterAll(() => api?.stop());

const as = "root" as const;
let digests = 0;
const reference = () => `registry.test/gateway@sha256:${(++digests).toString(16).padStart(64, "0")}`;
const add = async (gateway_version: string) =>
  (await api.call(imageRoutes.addImage, { as, body: { reference: reference(), gateway_version } })).body;
const put = (id: string, body: object) => api.call(imageRoutes.updateImage, { as, params: { id }, body });

/** A running instance that the dashboard manages. */
async function instance(slug: string, values: Record<string, unknown> = {}, client: Record<string, unknown> = {}) {
  const { db } = api.database;
  const client_id = await insertClient(db, { slug, managed_by: "dashboard", ...client });
  return { client_id, id: await insertInstance(db, client_id, { managed_by: "dashboard", ...values }) };
}
const get = async (id: string) =>
  (await api.call(instanceRoutes.getInstance, { as, params: { instance_id: id } })).body;
const create = (body: object) => api.call(rolloutRoutes.createRollout, { as, body });
const refused = async (body: object) => (await api.refused(rolloutRoutes.createRollout, { as, body })).error;
const move = async (what: "pause" | "resume" | "stop" | "rollBack", id: string) =>
  (await api.call(rolloutRoutes[`${what}Rollout`], { as, params: { id } })).body.status;
const members = async (id: string) =>
  (await api.call(rolloutRoutes.getRollout, { as, params: { id } })).body.members.map(({ client, wave, status }) => [
    client.slug,
    wave,
    status,
  ]);
const emptied = () =>
  api.database.pool.query(
    "delete from tenantry.rollouts; delete from tenantry.instances; delete from tenantry.clients",
  );

test("identifies an image by its digest, and refuses a withdrawn default", async () => {
  const { status, error } = await api.refused(imageRoutes.addImage, {
    as,
    body: { reference: "registry.test/gateway:1", gateway_version: "1" },
  });
  expect([status, JSON.stringify(error)]).toEqual([400, expect.stringContaining("must name a digest")]);
  const again = await api.refused(imageRoutes.addImage, {
    as,
    body: { reference: first.reference, gateway_version: "1" },
  });
  expect(again.error.code).toBe("conflict");

  expect((await put(first.id, { default: true })).body.default).toBe(true);
  expect((await put(second.id, { default: true, note: "the new one" })).body).toMatchObject({
    default: true,
    note: "the new one",
    gateway: "openclaw",
  });
  const { data } = (await api.call(imageRoutes.listImages, { as })).body;
  expect(data.map((image) => [image.gateway_version, image.default])).toEqual([
    ["2.0.0", true],
    ["1.0.0", false],
  ]);
  expect((await put(second.id, { withdrawn: true })).body).toMatchObject({
    default: false,
    withdrawn_at: expect.any(String),
  });
  const contradiction = await api.refused(imageRoutes.updateImage, {
    as,
    params: { id: second.id },
    body: { default: true },
  });
  expect(contradiction.error.code).toBe("conflict");
  expect((await put(second.id, { withdrawn: false })).body.withdrawn_at).toBeNull();
});

test("changes an image with a job, and requires a backup for a state that is too new", async () => {
  const { id } = await instance("single", { image_id: second.id, reported_gateway: "openclaw" });
  await api.database.pool.query(
    "update tenantry.instances set reported_gateway_version = '2.0.0', reported_at = now() where id = $1",
    [id],
  );
  expect((await get(id)).runs).toMatchObject({
    image: { id: second.id, gateway_version: "2.0.0" },
    reported: { gateway_version: "2.0.0" },
    as_wanted: true,
    pinned: false,
    maintenance: null,
  });
  const params = { instance_id: id };
  const back = { image_id: first.id };
  const { error } = await api.refused(instanceRoutes.changeVersion, { as, params, body: back });
  expect([error.code, error.message]).toEqual([
    "conflict",
    expect.stringMatching(/newer gateway than 1\.0\.0.*backup_id/),
  ]);
  const asked = await api.call(instanceRoutes.changeVersion, { as, params, body: { ...back, backup_id: "b-1" } });
  expect(asked.body).toMatchObject({ kind: "adopt_version", status: "queued", requested_by: "root@platform.test" });
  const twice = await api.refused(instanceRoutes.changeVersion, { as, params, body: { image_id: null } });
  expect(twice.error.message).toContain("queued or running");
  const { rows } = await api.database.pool.query("select payload from tenantry.jobs where id = $1", [asked.body.id]);
  expect(rows[0].payload).toEqual({
    to: { imageId: first.id, bundleId: null },
    from: { imageId: second.id, bundleId: null },
    backup: "b-1",
  });
  // It is no longer offered.
  const withdrawn = await add("3.0.0");
  await put(withdrawn.id, { withdrawn: true });
  const other = await instance("other");
  const gone = await api.refused(instanceRoutes.changeVersion, {
    as,
    params: { instance_id: other.id },
    body: { image_id: withdrawn.id },
  });
  expect(gone.error.message).toContain("withdrawn");
  await emptied();
});

test("rolls out to running, unpinned tenants of the dashboard, canaries first", async () => {
  await instance("canary", {}, { is_canary: true });
  for (const slug of ["one", "two", "three"]) await instance(slug);
  const pinned = await instance("pinned");
  const params = { instance_id: pinned.id };
  expect((await api.call(instanceRoutes.pinInstance, { as, params, body: { pinned: true } })).body.runs.pinned).toBe(
    true,
  );
  await instance("git", { managed_by: "git" }, { managed_by: "git" });
  await instance("new", { status: "provisioning" });
  await instance("has-it", { image_id: second.id });

  const { body } = await create({ image_id: second.id, waves: [50, 100], notice_hours: 0 });
  expect(body).toMatchObject({
    status: "running",
    wave: 0,
    soak_minutes: 30,
    urgent: false,
    tenants: { waiting: 4 },
    passed_by: { git: 1, pinned: 1, not_running: 1 },
  });
  const received = await members(body.id);
  expect(received.filter(([, wave]) => wave === 0)).toEqual([["canary", 0, "waiting"]]);
  expect(received.map(([, wave]) => wave)).toEqual([0, 1, 2, 2]);
  // The counts include all tenants, also those that the list omits.
  const query = { status: "done" };
  const counted = await api.call(rolloutRoutes.getRollout, { as, params: { id: body.id }, query });
  expect(counted.body).toMatchObject({
    by_wave: [1, 1, 2].map((waiting, wave) => ({ wave, tenants: { waiting } })),
    members: [],
  });
  expect((await refused({ image_id: first.id })).message).toContain("Another rollout is in progress");

  expect(await move("pause", body.id)).toBe("paused");
  expect((await api.refused(rolloutRoutes.pauseRollout, { as, params: { id: body.id } })).error.code).toBe("conflict");
  expect(await move("resume", body.id)).toBe("running");
  expect(await move("stop", body.id)).toBe("stopped");
  expect((await members(body.id)).every(([, , status]) => status === "skipped")).toBe(true);
  expect((await api.call(rolloutRoutes.listRollouts, { as })).body.data).toHaveLength(1);
  const updates = await api.database.pool.query(
    "select kind, partner_id from tenantry.events where data ->> 'rollout_id' = $1 order by id",
    [body.id],
  );
  expect(updates.rows).toEqual(
    ["begun", "paused", "running", "stopped"].map((what) => ({ kind: `rollout.${what}`, partner_id: null })),
  );
  await emptied();
});

test("refuses a rollout that is older than tenants' states, or new to no tenant", async () => {
  await instance("newer", { reported_gateway: "openclaw", reported_gateway_version: "1.5.0" });
  expect((await refused({ image_id: first.id })).message).toMatch(/1 tenants \(newer\).*newer gateway than 1\.0\.0/);
  await emptied();
  expect((await refused({ image_id: first.id })).message).toContain("No tenant");
  for (const waves of [[], [50], [100, 50]]) {
    expect((await refused({ image_id: first.id, waves })).code).toBe("invalid_request");
  }
  expect((await refused({})).code).toBe("invalid_request");
});

test("rolls back an ended rollout, unless another one is running", async () => {
  await instance("rolled");
  const { id } = (await create({ image_id: second.id, urgent: true })).body;
  const { pool } = api.database;
  await pool.query("update tenantry.rollout_tenants set status = 'done', changed_at = now() where rollout_id = $1", [
    id,
  ]);
  await pool.query("update tenantry.rollouts set status = 'succeeded', ended_at = now() where id = $1", [id]);
  const other = (await create({ image_id: first.id })).body.id;
  expect((await api.refused(rolloutRoutes.rollBackRollout, { as, params: { id } })).error.message).toContain("stop it");
  await move("stop", other);
  expect(await move("rollBack", id)).toBe("rolling_back");
  expect(await members(id)).toEqual([["rolled", 0, "going_back"]]);
  await emptied();
});

test("shows a partner root its tenants' versions, but neither catalogue nor rollouts", async () => {
  const { id, client_id } = await instance("north-tenant", { image_id: first.id }, { partner_id: api.partners.north });
  const seen = await api.call(instanceRoutes.getInstance, { as: "north", params: { instance_id: id } });
  expect(seen.body.runs.image).toMatchObject({ gateway_version: "1.0.0" });
  for (const route of [imageRoutes.listImages, rolloutRoutes.listRollouts, imageRoutes.listWorkerBundles]) {
    expect((await api.refused(route, { as: "north" })).error.code).toBe("forbidden");
  }
  const canary = { id: client_id, canary: true };
  expect((await api.refused(clientRoutes.updateClient, { as: "north", body: canary })).error.code).toBe("forbidden");
  await emptied();
});

test("stores a client's maintenance window, also from its partner root", async () => {
  const { client_id } = await instance("kept", {}, { partner_id: api.partners.north });
  const window = { days: [6, 7], start: "22:00", hours: 4, time_zone: "Europe/Berlin" };
  const update = async (maintenance_window: unknown) =>
    (await api.call(clientRoutes.updateClient, { as: "north", body: { id: client_id, maintenance_window } })).body
      .maintenance_window;
  expect(await update(window)).toEqual(window);
  for (const change of [
    { days: [] },
    { days: [1, 1] },
    { days: [8] },
    { start: "24:00" },
    { hours: 0 },
    { time_zone: "X" },
  ]) {
    const body = { id: client_id, maintenance_window: { ...window, ...change } };
    expect((await api.refused(clientRoutes.updateClient, { as: "north", body })).error.code).toBe("invalid_request");
  }
  expect(await update(null)).toBeNull();
  await emptied();
});
