import { expect, test } from "vitest";
import * as z from "zod";
import { changedResources } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

/** Paths between a resource and its dependencies: for protected resources, the engine follows each path repeatedly. */
function ways(state: unknown, last: string): number {
  const names = z.array(z.string()).nullish();
  const { resources } = z
    .object({
      resources: z.array(
        z.object({
          urn: z.string(),
          provider: z.string().optional(),
          dependencies: names,
          propertyDependencies: z.record(z.string(), names).nullish(),
        }),
      ),
    })
    .parse(state);
  const counted = new Map<string, number>();
  for (const { urn, provider, dependencies, propertyDependencies } of resources) {
    const next = [...(dependencies ?? []), ...Object.values(propertyDependencies ?? {}).flatMap((each) => each ?? [])];
    if (provider) next.push(provider.replace(/::[^:]*$/, ""));
    counted.set(urn, 1 + next.reduce((sum, other) => sum + (counted.get(other) ?? 0), 0));
  }
  const found = [...counted].find(([urn]) => urn.endsWith(last));
  if (found === undefined) throw new Error(`The state has no ${last}.`);
  return found[1];
}

test("deletes a platform only without tenants of other stacks, and in production only without protection", async () => {
  const edge = await temporaryPlatform();
  const settings = platformSettings([{ slug: "home" }]);
  const platform = (protect?: boolean) => {
    const { protect: _, ...rest } = settings["tenantry:platform"];
    return { ...settings, "tenantry:platform": protect === undefined ? rest : { ...rest, protect } };
  };
  const whole = await stackOf(edge, platform());
  await whole.up();
  const tenant = await stackOf(
    edge,
    {
      "tenantry:environment": "production",
      "tenantry:platformStack": "whole",
      "tenantry:clients": clientSettings([{ slug: "acme" }]),
    },
    "prod-acme",
  );
  await tenant.up();
  const before = edge.store.counts();
  // 300,000 paths take a second.
  expect(ways((await whole.exportStack()).deployment, "RemovalCheck::platform")).toBeLessThan(200_000);
  await expect(whole.destroy()).rejects.toThrow(/protected/);
  expect(edge.store.counts()).toEqual(before);

  await stackOf(edge, platform(false));
  await whole.up();
  await expect(whole.destroy()).rejects.toThrow(
    "The platform was not removed, and nothing has changed. tenantry.instances has rows of tenantry/prod-acme. " +
      "Destroy their resources first.",
  );
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(tenant, "refresh")).toEqual([]);

  await tenant.destroy();
  await whole.destroy();
  // In production backups are retained.
  expect(edge.store.counts()).toEqual({ bucket: 2 });
});
