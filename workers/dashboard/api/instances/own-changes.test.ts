/** What the ADMINs of a tenant change of its version and plan, and what they cannot. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { billingRoutes } from "#workers/contracts/api/billing-routes.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { jobRoutes } from "#workers/contracts/api/jobs.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { imageRoutes } from "#workers/contracts/api/tenants/images.ts";
import { type ApiUnderTest, startApi } from "../../testing/start-api.ts";

const { listVersions, changeVersion, pinInstance, changeWorkerPlan } = instanceRoutes;
const PRESENT = "2026.9.6";

let api: ApiUnderTest;
let present: string;
let newer: string;
let older: string;
let tenants = 0;
let slug: string;
let client_id: string;
let instance_id: string;
let ada: { slug: string; email: string };
let ben: typeof ada;
let bob: typeof ada;
beforeAll(async () => {
  api = await startApi();
  const add = async (gateway_version: string, more: object = {}) => {
    const reference = `registry.test/openclaw@sha256:${String(++tenants).repeat(64).slice(0, 64)}`;
    return (await api.call(imageRoutes.addImage, { as: "root", body: { reference, gateway_version, ...more } })).body
      .id;
  };
  present = await add(PRESENT);
  newer = await add("2026.10.1", { note: "Ask Rita first.", release_notes: "Reads faster.\nSends less." });
  older = await add("2026.8.1");
});
afterAll(() => api?.stop());
beforeEach(async () => {
  const { db } = api.database;
  slug = `tenant-${++tenants}`;
  const owner = { managed_by: "dashboard" };
  client_id = await insertClient(db, { slug, partner_id: api.partners.north, billing_plan: "basic", ...owner });
  instance_id = await insertInstance(db, client_id, { ...owner, image_id: present });
  await set("reported_gateway = 'openclaw', reported_gateway_version = $2, reported_at = now()", PRESENT);
  const user = async (email: string, role = "ADMIN") => {
    await insertClientUser(db, { client_id, email, role, status: "validated" }, [instance_id]);
    return { slug, email };
  };
  ada = await user(`ada@${slug}.test`);
  ben = await user(`ben@${slug}.test`);
  bob = await user(`bob@${slug}.test`, "BASE_USER");
});

const set = (columns: string, ...values: string[]) =>
  api.database.pool.query(`update tenantry.instances set ${columns} where id = $1`, [instance_id, ...values]);
const setClient = (columns: string) =>
  api.database.pool.query(`update tenantry.clients set ${columns} where id = $1`, [client_id]);
const own = () => ({ params: { instance_id } });
const ofClient = () => ({ params: { client_id } });
const versions = async (as: typeof ada | "root" = ada) => (await api.call(listVersions, { as, ...own() })).body;
const change = (body: object, as: typeof ada | "root" = ada) => api.call(changeVersion, { as, ...own(), body });
const reasonOf = async (...sent: Parameters<ApiUnderTest["refused"]>) => (await api.refused(...sent)).error.reason;
const refusedChange = (body: object, as = ada) => reasonOf(changeVersion, { as, ...own(), body });

test("lists the versions that the platform offers, with release notes and without operators' notes", async () => {
  const known = await versions(bob);
  expect(known).toMatchObject({
    running: { gateway: "openclaw", gateway_version: PRESENT },
    pin: null,
    canary: false,
    newer_id: newer,
    window: null,
    change: null,
    refusal: null,
  });
  expect(known.offered.map(({ id, age, release_notes }) => [id, age, release_notes])).toEqual([
    [older, "older", ""],
    [newer, "newer", "Reads faster.\nSends less."],
    [present, "current", ""],
  ]);
  expect(JSON.stringify(known)).not.toMatch(/Ask Rita|registry\.test/);
});

test("an ADMIN gets an offered image, an older one only with a backup, and nothing else", async () => {
  const { body } = await change({ image_id: newer });
  expect(body).toMatchObject({ kind: "adopt_version", status: "queued", requested_by: ada.email, not_before: null });
  expect((await versions(ben)).change).toMatchObject({ id: body.id, image_id: newer, requested_by: ada.email });
  const second = await api.refused(changeVersion, { as: ben, ...own(), body: { image_id: older } });
  expect([second.status, second.error.message]).toEqual([
    409,
    expect.stringContaining(`${ada.email} requested another`),
  ]);
  await api.call(jobRoutes.cancelJob, { as: ben, params: { id: body.id } });
  expect((await versions()).change).toBeNull();

  expect(await refusedChange({ image_id: older })).toBe("state_newer_than_image");
  const back = await change({ image_id: older, backup_id: "20261102T141500000Z-3f9a1c" });
  expect(back.body.kind).toBe("adopt_version");
});

test("an ADMIN gets no Worker, no platform's image, and no image that is withdrawn, unknown or of another gateway", async () => {
  const add = async (digit: string, gateway: string) =>
    (
      await api.call(imageRoutes.addImage, {
        as: "root",
        body: { reference: `registry.test/other@sha256:${digit.repeat(64)}`, gateway, gateway_version: "2027.1.1" },
      })
    ).body.id;
  const [withdrawn, other] = [await add("e", "openclaw"), await add("f", "hermes")];
  await api.call(imageRoutes.updateImage, { as: "root", params: { id: withdrawn }, body: { withdrawn: true } });
  for (const image_id of [withdrawn, other, crypto.randomUUID()]) {
    expect(await refusedChange({ image_id })).toBe("version_not_offered");
  }
  for (const body of [{ image_id: null }, { worker_bundle_id: null }, { image_id: newer, worker_bundle_id: null }]) {
    expect(await refusedChange(body)).toBe("version_choice_requires_root");
  }
  const { rows } = await api.database.pool.query("select from tenantry.jobs where client_id = $1", [client_id]);
  expect(rows).toEqual([]);
});

test("a change in the maintenance window is planned, can be cancelled, and an operator's cannot", async () => {
  expect(await refusedChange({ image_id: newer, start: "window" })).toBe("maintenance_window_missing");
  const tomorrow = new Date(Date.now() + 36 * 3_600_000);
  const window = { days: [tomorrow.getUTCDay() || 7], start: "03:00", hours: 1, time_zone: "Etc/UTC" };
  await api.call(clientRoutes.setMaintenanceWindow, { as: ada, ...ofClient(), body: { maintenance_window: window } });
  const from = (await versions()).window?.from;
  const { body } = await change({ image_id: newer, start: "window" });
  expect([body.not_before, Date.parse(body.deadline) - Date.parse(from ?? "")]).toEqual([from, 3 * 3_600_000]);
  const queued = await api.database.pool.query(
    "select run_at from graphile_worker._private_jobs where key = 'job:' || $1",
    [body.id],
  );
  expect(queued.rows).toEqual([{ run_at: new Date(from ?? "") }]);
  const cancelled = await api.call(jobRoutes.cancelJob, { as: ada, params: { id: body.id } });
  expect(cancelled.body).toMatchObject({ status: "cancelled", cause: `Cancelled by ${ada.email}.` });

  const { body: ordered } = await change({ image_id: newer }, "root");
  expect(await reasonOf(jobRoutes.cancelJob, { as: ada, params: { id: ordered.id } })).toBe("job_of_operator");
});

test("an ADMIN pins and unpins, an operator takes the pin over, and no ADMIN undoes that", async () => {
  const pin = (as: typeof ada | "root", pinned: boolean, headers = {}) => ({ as, ...own(), body: { pinned }, headers });
  const { version } = await versions();
  const seen = { "if-match": `"${version}"` };
  await api.call(pinInstance, pin(ada, true, seen));
  expect((await versions(ben)).pin).toMatchObject({ by: ada.email, of_operator: false });
  const late = await api.refused(pinInstance, pin(ben, false, seen));
  expect([late.status, late.error.message]).toEqual([412, expect.stringContaining(`${ada.email} changed the pin at `)]);
  await api.call(pinInstance, pin(ben, false));
  await api.call(pinInstance, pin(ada, true));
  await api.call(pinInstance, pin("root", true));
  expect(await versions()).toMatchObject({
    pin: { by: "operator", of_operator: true },
    refusal: expect.stringContaining("Your operator pinned"),
  });
  expect((await versions("root")).pin?.by).toBe("root@platform.test");
  expect(await reasonOf(pinInstance, pin(ada, false))).toBe("instance_pinned_by_operator");
  expect(await refusedChange({ image_id: newer })).toBe("instance_pinned_by_operator");
  await api.call(pinInstance, pin("root", false));
  expect((await versions()).pin).toBeNull();
});

test("an ADMIN chooses whether rollouts reach the tenant first", async () => {
  const body = { canary: true };
  expect((await api.call(clientRoutes.setCanary, { as: ada, ...ofClient(), body })).body.canary).toBe(true);
  expect((await versions(bob)).canary).toBe(true);
  expect((await api.refused(clientRoutes.setCanary, { as: "north", ...ofClient(), body })).status).toBe(403);
  await setClient("managed_by = 'git'");
  const declared = await api.refused(clientRoutes.setCanary, { as: ada, ...ofClient(), body });
  expect(declared.error).toMatchObject({ code: "managed_by_git", reason: "own_tenant_declared_in_git" });
});

test("a BASE_USER, and an ADMIN of another client, change nothing", async () => {
  const { db } = api.database;
  const other = await insertClient(db, { slug: `${slug}-b`, managed_by: "dashboard" });
  const at = await insertInstance(db, other, { managed_by: "dashboard" });
  for (const [route, body] of [
    [changeVersion, { image_id: newer }],
    [pinInstance, { pinned: true }],
    [changeWorkerPlan, undefined],
  ] as const) {
    const params = { instance_id, plan_type: "pro" };
    expect((await api.refused(route, { as: bob, params, body })).status).toBe(403);
    const foreign = await api.refused(route, { as: ada, params: { ...params, instance_id: at }, body });
    expect(foreign.status).toBe(404);
  }
  for (const route of [listVersions, billingRoutes.listInvoices] as const) {
    const params = { instance_id: at, client_id: other };
    expect((await api.refused(route, { as: ada, params })).status).toBe(404);
  }
});

const planChange = (plan_type: string, from?: string) => ({
  params: { instance_id, plan_type },
  ...(from !== undefined && { query: { from } }),
});
const planOf = async () =>
  (await api.database.pool.query("select billing_plan from tenantry.clients where id = $1", [client_id])).rows[0];

test("an ADMIN compares the plans with its own fees, and changes to one", async () => {
  const { body } = await api.call(billingRoutes.listPlans, { as: ada, ...ofClient() });
  expect(body).toMatchObject({ current: "basic", refusal: null });
  const [free, basic, pro] = body.data;
  expect([free?.monthly_micros, basic?.monthly_micros, pro?.monthly_micros]).toEqual([0, 29_000_000, 99_000_000]);
  expect(basic?.month_change_micros).toBe(0);
  expect(pro?.month_change_micros).toBe((pro?.month_micros ?? 0) - (basic?.month_micros ?? 0));
  expect(free?.month_micros).toBeGreaterThan(0);
  expect(pro?.limits).toMatchObject({ doors: 50, ai_spend_usd: 200 });

  const changed = await api.call(changeWorkerPlan, { as: ada, ...planChange("pro", "basic") });
  expect(changed.body).toMatchObject({ billing_plan: "pro", job: { kind: "change_plan", requested_by: ada.email } });
  const { rows } = await api.database.pool.query(
    "select plan, also from tenantry.client_plans where client_id = $1 order by valid_from desc limit 1",
    [client_id],
  );
  expect(rows).toEqual([{ plan: "pro", also: ["basic"] }]);
  const late = await api.refused(changeWorkerPlan, { as: ben, ...planChange("enterprise", "basic") });
  expect([late.status, late.error.message]).toEqual([
    412,
    expect.stringContaining(`${ada.email} changed the plan at `),
  ]);
  const open = await api.refused(changeWorkerPlan, { as: ben, ...planChange("enterprise", "pro") });
  expect([open.status, open.error.reason]).toEqual([409, "job_of_kind_open"]);
  await api.call(jobRoutes.cancelJob, { as: ben, params: { id: changed.body.job?.id ?? "" } });
  expect(await planOf()).toEqual({ billing_plan: "basic" });
});

test.each([
  [
    "is frozen",
    () => set("status = 'frozen', frozen_for = 'asked', frozen_by = 'platform_root'"),
    "own_change_needs_running_instance",
  ],
  [
    "is being deleted",
    () => setClient("delete_after = now() + interval '1 day', deletion_by = 'platform_root'"),
    "client_being_deleted",
  ],
  ["is declared in Git", () => set("managed_by = 'git'"), "own_tenant_declared_in_git"],
])("an ADMIN changes neither plan nor version of a tenant that %s", async (_, make, reason) => {
  await make();
  expect(await reasonOf(changeWorkerPlan, { as: ada, ...planChange("pro") })).toBe(reason);
  expect(await refusedChange({ image_id: newer })).toBe(reason);
  const { body } = await api.call(billingRoutes.listPlans, { as: ada, ...ofClient() });
  expect(body.refusal).toBe((await versions()).refusal);
  expect(body.refusal).not.toBeNull();
  expect(await planOf()).toEqual({ billing_plan: "basic" });
  const { rows } = await api.database.pool.query("select from tenantry.jobs where client_id = $1", [client_id]);
  expect(rows).toEqual([]);
});
