import { expect, test } from "vitest";
import { DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { changedResources } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

type Clients = Parameters<typeof platformSettings>[0];

/** A stack with clients, pool (capacity by gateway) and partners. */
function settings(clients: Clients, pool: Record<string, number>, partners: string[]) {
  const whole = platformSettings(clients);
  const aiGateways = Object.entries(pool).map(([id, capacity]) => ({ id, capacity }));
  return {
    ...whole,
    "tenantry:platform": { ...whole["tenantry:platform"], aiGateways },
    "tenantry:partners": partners.map((slug) => ({ slug, name: `Partner ${slug}` })),
  };
}

/** Returns the gateway in a tenant's Worker and row. */
async function gatewayOf(edge: Edge, slug: string): Promise<unknown[]> {
  const bindings = edge.store.get("script", `tenants/tenant-${slug}`)?.bindings ?? [];
  const rows = await sql(
    edge,
    `select i.ai_gateway_id, g.gateway_id as pooled from tenantry.instances i
     join tenantry.clients c on c.id = i.client_id left join tenantry.ai_gateways g on g.id = i.ai_gateway_pool_id
     where c.slug = $1`,
    [slug],
  );
  return [bindings.find(({ name }) => name === "AI_GATEWAY_ID")?.text, ...rows];
}

test("applies changed settings: names, partners, gateways, the pool, and removed clients", async () => {
  const edge = await temporaryPlatform();
  const acme = { slug: "acme", partner: "globex" };
  const lab = { slug: "lab", aiGateway: "of-the-account" };
  const stack = await stackOf(edge, settings([acme, lab], { "pool-a": 2, "pool-b": 1 }, ["globex", "initech"]));
  await stack.up();
  expect(await gatewayOf(edge, "acme")).toEqual(["pool-a", { ai_gateway_id: "pool-a", pooled: "pool-a" }]);
  expect(await gatewayOf(edge, "lab")).toEqual(["of-the-account", { ai_gateway_id: "of-the-account", pooled: null }]);
  const next = async (...changed: Parameters<typeof settings>) => {
    await stackOf(edge, settings(...changed));
    return (await changedResources(stack, "up")).toSorted();
  };

  // Another name and partner, whose predecessor is deleted in the same run, and from an external gateway to the pool.
  const moved = { slug: "acme", name: "Acme Corporation", partner: "initech" };
  const pooled = { slug: "lab", aiGateway: "pool-b" };
  expect(await next([moved, pooled], { "pool-a": 2, "pool-b": 1 }, ["initech"])).toEqual([
    "delete DatabaseRecord partner-globex",
    "delete Partner globex",
    "update DatabaseRecord client-acme",
    "update DatabaseRecord instance-lab",
    "update NamespacedScript lab",
  ]);
  expect(await gatewayOf(edge, "lab")).toEqual(["pool-b", { ai_gateway_id: "pool-b", pooled: "pool-b" }]);

  // A reached limit excludes others.
  const more = { slug: "more" };
  await next([moved, pooled, more], { "pool-a": 1, "pool-b": 1 }, ["initech"]);
  expect((await gatewayOf(edge, "acme"))[0]).toBe("pool-a");
  expect((await gatewayOf(edge, "more"))[0]).toBe("tenantry-more");

  // A deleted pool gateway: its tenant moves first.
  expect(await next([moved, pooled, more], { "pool-b": 2 }, ["initech"])).toEqual([
    "delete AiGateway pool-a",
    "delete AiGateway pool-a",
    "delete DatabaseRecord ai-gateway-pool-a",
    "update DatabaseRecord ai-gateway-pool-b",
    "update DatabaseRecord instance-acme",
    "update NamespacedScript acme",
  ]);
  expect((await gatewayOf(edge, "acme"))[0]).toBe("pool-b");
  expect(edge.store.get("ai_gateway", "pool-a")).toBeUndefined();

  // A gateway that another stack uses is not deleted, with the reason.
  await sql(
    edge,
    `insert into tenantry.clients (slug, name, billing_plan, environment) values ('other', 'Other', 'free', 'staging');
     insert into tenantry.instances (client_id, environment, worker_name, managed_by, ai_gateway_id, ai_gateway_pool_id)
     select c.id, 'staging', 'tenant-other', 'dashboard', null, null from tenantry.clients c where slug = 'other';
     update tenantry.ai_gateways set max_instances = 3;
     update tenantry.instances i set ai_gateway_id = g.gateway_id, ai_gateway_pool_id = g.id
     from tenantry.ai_gateways g where i.worker_name = 'tenant-other'`,
  );
  await expect(next([more], {}, ["initech"])).rejects.toThrow("pool-b is still bound by 1 of other environments");
  expect(edge.store.get("ai_gateway", "pool-b")).toBeDefined();
  await sql(edge, "delete from tenantry.instances where worker_name = 'tenant-other'");

  // Deleted clients leave only retained buckets.
  await next([more], {}, ["initech"]);
  expect(edge.store.list("ai_gateway").map(({ id }) => id)).toEqual(["tenantry-more"]);
  // Tokens of the tenant, the dispatch Worker, and two of the dashboard, which has the logos' bucket too.
  expect(edge.store.counts()).toMatchObject({ bucket: 4, container_application: 1, api_token: 4 });
  const guarded = edge.store.list("access_application").map(({ domain }) => String(domain).replace(`.${DOMAIN}`, ""));
  expect(guarded.toSorted()).toEqual([
    "*/api/health",
    "dash",
    "dash/console",
    "dash/internal/live",
    "dash/invitations",
    "dash/logos",
    "more",
  ]);
  expect(await sql(edge, "select slug from tenantry.clients order by slug")).toEqual([
    { slug: "more" },
    { slug: "other" },
  ]);
});
