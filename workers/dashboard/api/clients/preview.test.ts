/** The preview of a client equals the client that is created. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertPoolEntry } from "#database/testing/fixtures.ts";
import { PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { type ApiUnderTest, type As, startApi } from "../../testing/start-api.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  const CONTAINERS = JSON.stringify({ ...PLAN_CONTAINERS, free: "basic" });
  api = await startApi({ AI_GATEWAY_CREATE_DEDICATED: "false", CONTAINERS });
});
afterAll(() => api?.stop());

const preview = async (
  slug: string,
  { as = "root", plan = "pro", ...more }: { as?: As; plan?: string; partner_id?: string } = {},
) => (await api.call(clientRoutes.previewClient, { as, query: { slug, billing_plan: plan, ...more } })).body;
const faults = async (slug: string, as: As = "root") =>
  (await preview(slug, { as })).faults.map(({ of, message }) => `${of} ${message}`);

test("shows why an instance cannot be created without room, and its gateway with room", async () => {
  expect(await preview("acme")).toMatchObject({
    hostname: "acme.example.test",
    partner: null,
    container: { type: "standard-2", memory_mib: 6_144, vcpu: 1 },
    ai_gateway: null,
    monthly_fee_micros: 99_000_000,
    faults: [{ of: "ai_gateway", message: expect.stringContaining("Raise a capacity") }],
  });
  await insertPoolEntry(api.database.db, { gateway_id: "fuller", max_instances: 9 });
  await insertPoolEntry(api.database.db, { gateway_id: "emptier", max_instances: 9 });
  const foreseen = await preview("acme", { as: "north" });
  expect(foreseen).toMatchObject({ partner: { slug: "north" }, ai_gateway: { kind: "pooled" }, faults: [] });
  const body = { slug: "acme", billing_plan: "pro" };
  const { id } = (await api.call(clientRoutes.createClient, { as: "north", body })).body;
  const made = await api.call(instanceRoutes.createInstance, { as: "north", body: { client_id: id } });
  expect(made.body.ai_gateway?.id).toBe(foreseen.ai_gateway?.id);
  expect((await preview("next")).ai_gateway?.id).not.toBe(foreseen.ai_gateway?.id);
});

test("reports an invalid or used slug before the creation", async () => {
  await insertClient(api.database.db, { slug: "of-south", partner_id: api.partners.south });
  expect(await faults("free-one")).toEqual([]);
  expect(await faults("dash")).toEqual([expect.stringMatching(/^slug is reserved/)]);
  expect(await faults("")).toEqual([expect.stringMatching(/^slug is empty/)]);
  expect(await faults("Of South")).toEqual([expect.stringMatching(/^slug is not a DNS label/)]);
  for (const as of ["root", "north", "south"] as const) {
    expect(await faults("of-south", as)).toEqual([expect.stringMatching(/^slug belongs to another client/)]);
  }
  expect((await preview("of-south", { as: "north" })).hostname).toBeNull();
});

test("shows the plan's container of the platform, and today's price", async () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  for (const [valid_from, micros] of [
    [day(0), 7_000_000],
    [day(2), 8_000_000],
  ] as const) {
    const price = { plan: "free", metric: "flat_fee", per_units: 1, micros, valid_from };
    await api.fetchAs("root", "POST", "/prices", price);
  }
  expect(await preview("small", { plan: "free" })).toMatchObject({
    container: { type: "basic", disk_gb: 4 },
    monthly_fee_micros: 7_000_000,
  });
  await api.database.pool.query("delete from tenantry.prices where plan = 'basic' and metric = 'flat_fee'");
  expect((await preview("small", { plan: "basic" })).monthly_fee_micros).toBeNull();
});

test("refuses another partner, as the creation does", async () => {
  const query = { slug: "lost", billing_plan: "pro", partner_id: api.partners.south };
  expect(await api.refused(clientRoutes.previewClient, { as: "north", query })).toMatchObject({ status: 403 });
  const unknown = { ...query, partner_id: crypto.randomUUID() };
  expect(await api.refused(clientRoutes.previewClient, { as: "root", query: unknown })).toMatchObject({ status: 400 });
  expect((await preview("lost", { partner_id: api.partners.south })).partner?.slug).toBe("south");
});

test("limits the previews of each partner root", async () => {
  const ask = (n: number) => api.fetchAs("south", "GET", `/client/new?slug=guess-${n}&billing_plan=free`);
  const statuses: number[] = [];
  let refused = await ask(0);
  for (let n = 1; n <= 300 && refused.status === 200; n++) {
    statuses.push(refused.status);
    refused = await ask(n);
  }
  expect(statuses.length).toBeGreaterThanOrEqual(50);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await preview("guess-0", { as: "north" })).faults).toEqual([]);
  expect((await preview("guess-0")).faults).toEqual([]);
});
