import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { deployStack } from "#local/start/deployment.ts";
import { changedResources } from "../testing/engine.ts";
import { clientSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

let edge: Edge;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
});
afterAll(() => close());

const POOL = ["a", "b", "c", "d"].map((name) => ({ id: `pool-${name}`, capacity: 1 }));

/** The platform's stack, with the gateway of each tenant. */
function settings(tenants: Record<string, string | undefined>) {
  const clients = Object.entries(tenants).map(([slug, aiGateway]) => ({ slug, ...(aiGateway && { aiGateway }) }));
  const all = platformSettings(clients);
  return { ...all, "tenantry:platform": { ...all["tenantry:platform"], aiGateways: POOL } };
}

const bindings = z.array(z.object({ slug: z.string(), gateway: z.string(), pool: z.string().nullable() }));

/** Returns each tenant's gateway in the database. */
async function gateways(): Promise<Record<string, string>> {
  const rows = await sql(
    edge,
    `select c.slug, i.ai_gateway_id as gateway, g.gateway_id as pool from tenantry.instances i
     join tenantry.clients c on c.id = i.client_id left join tenantry.ai_gateways g on g.id = i.ai_gateway_pool_id`,
  );
  return Object.fromEntries(
    bindings.parse(rows).map(({ slug, gateway, pool }) => [slug, gateway === pool ? gateway : `${gateway}, unpooled`]),
  );
}

/** Returns each tenant's gateway in its Worker. */
const gatewayOf = (slug: string) =>
  edge.store.get("script", `tenants/tenant-${slug}`)?.bindings.find(({ name }) => name === "AI_GATEWAY_ID")?.text;

test("swaps full gateways, and moves tenants along a chain of them, as previewed", async () => {
  const first = { one: "pool-a", two: "pool-b", three: "pool-c" };
  await (await stackOf(edge, settings(first))).up();
  expect(await gateways()).toEqual(first);

  const swapped = { one: "pool-b", two: "pool-a", three: "pool-c" };
  const stack = await stackOf(edge, settings(swapped));
  const promised = await changedResources(stack, "preview");
  expect((await changedResources(stack, "up")).toSorted()).toEqual(promised.toSorted());
  expect(await gateways()).toEqual(swapped);
  expect([gatewayOf("one"), gatewayOf("two")]).toEqual(["pool-b", "pool-a"]);

  // three → d, one → c, two → b, and a new tenant takes the place of two.
  const chained = { four: "pool-a", one: "pool-c", two: "pool-b", three: "pool-d" };
  await (await stackOf(edge, settings(chained))).up();
  expect(await gateways()).toEqual(chained);
  expect(await changedResources(await stackOf(edge, settings(chained)), "refresh")).toEqual([]);
  expect(await changedResources(await stackOf(edge, settings(chained)), "up")).toEqual([]);

  // Moves out of the pool to a dedicated gateway while another moves in.
  const left = { ...chained, four: "tenantry-four", one: "pool-a", two: "pool-c" };
  await (await stackOf(edge, settings(left))).up();
  expect(await gateways()).toEqual({ ...left, four: "tenantry-four, unpooled" });
});

test("reports when another stack took the slot after the plan, and plans again in a task that runs the stack", async () => {
  await (await stackOf(edge, settings({ one: "pool-a", two: "pool-c", three: "pool-d" }))).up();
  const fresh = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "whole",
    "tenantry:clients": clientSettings([{ slug: "fresh" }]),
  };
  // Simulates a faster stack: the plan exists when the client's row is written.
  const thief = (slug: string) => `
    create or replace function tenantry.thief() returns trigger language plpgsql security definer as $$
    declare other uuid;
    begin
      if new.slug <> '${slug}' then return new; end if;
      insert into tenantry.clients (slug, name, billing_plan, status) values ('thief', 'Thief', 'basic', 'active') returning id into other;
      insert into tenantry.instances (client_id, environment, worker_name, ai_gateway_id, ai_gateway_pool_id)
        select other, 'production', 'tenant-thief', gateway_id, id from tenantry.ai_gateways where gateway_id = 'pool-b';
      return new;
    end $$`;
  await sql(edge, thief("fresh"));
  await sql(
    edge,
    "create trigger thief after insert on tenantry.clients for each row execute function tenantry.thief()",
  );

  const stack = await stackOf(edge, fresh, "prod-fresh");
  await expect(stack.up()).rejects.toThrow(
    "no_ai_gateway_capacity: AI gateway pool-b holds 1 of 1 instances; plan again or raise max_instances",
  );
  await stack.up();
  expect(await gateways()).toMatchObject({ fresh: "tenantry-fresh, unpooled" });

  await sql(edge, "delete from tenantry.instances where worker_name = 'tenant-thief'");
  await sql(edge, "delete from tenantry.clients where slug = 'thief'");
  await sql(edge, thief("later"));
  await deployStack(await stackOf(edge, settings({ one: "pool-a", two: "pool-c", three: "pool-d", later: undefined })));
  expect(await gateways()).toMatchObject({ later: "tenantry-later, unpooled", thief: "pool-b" });
});
