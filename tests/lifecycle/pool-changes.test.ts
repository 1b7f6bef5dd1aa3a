import { expect, test } from "vitest";
import { changedResources } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

test("refuses to remove a pool gateway with tenants before anything is created, and removes it after they have moved", async () => {
  const edge = await temporaryPlatform();
  const settings = (pool: { id: string; capacity: number }[], aiGateway?: string) => {
    const all = platformSettings([{ slug: "home", ...(aiGateway && { aiGateway }) }]);
    return { ...all, "tenantry:platform": { ...all["tenantry:platform"], aiGateways: pool } };
  };
  const tenants = (aiGateway: string) => ({
    "tenantry:environment": "production",
    "tenantry:platformStack": "whole",
    "tenantry:clients": clientSettings([{ slug: "acme", aiGateway }]),
  });
  const [a, b] = [
    { id: "pool-a", capacity: 2 },
    { id: "pool-b", capacity: 2 },
  ];
  await (await stackOf(edge, settings([a, b], "pool-a"))).up();
  await (await stackOf(edge, tenants("pool-a"), "prod-acme")).up();
  const found = async () => ({
    contents: edge.store.counts(),
    digest: edge.store.digest(),
    rows: await sql(edge, "select * from tenantry.ai_gateways order by gateway_id"),
  });
  const before = await found();

  const refused = async (given: Record<string, unknown>, message: string) => {
    const stack = await stackOf(edge, given);
    await expect(stack.preview()).rejects.toThrow(message);
    await expect(stack.up()).rejects.toThrow(message);
    expect(await found()).toEqual(before);
  };
  // Chosen by name, the gateway would otherwise count as external.
  await refused(settings([b], "pool-a"), "pool-a is still bound by acme, home; give them another gateway");
  await refused(settings([b]), "pool-a is still bound by acme; give them another gateway");
  await refused(settings([{ ...a, capacity: 1 }, b], "pool-a"), "pool-a has a capacity of 1, and is bound by 2");

  await (await stackOf(edge, tenants("pool-b"), "prod-acme")).up();
  await (await stackOf(edge, settings([b]))).up();
  expect(edge.store.list("ai_gateway").map(({ id }) => id)).toEqual(["pool-b"]);
  expect(await changedResources(await stackOf(edge, tenants("pool-b"), "prod-acme"), "refresh")).toEqual([]);
});
