import { expect, test } from "vitest";
import * as z from "zod";
import { changedResources } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

/** Ways from a resource to whatever it depends on: of what may not be deleted the engine goes each of them, over and over. */
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

test("a platform goes only when no other stack has tenants on it, and in production only when it is no longer protected", async () => {
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
  // It takes a second for 300,000 of them.
  expect(ways((await whole.exportStack()).deployment, "RemovalCheck::platform")).toBeLessThan(200_000);
  await expect(whole.destroy()).rejects.toThrow(/protected/);
  expect(edge.store.counts()).toEqual(before);

  await stackOf(edge, platform(false));
  await whole.up();
  await expect(whole.destroy()).rejects.toThrow(
    "The platform was not removed, and nothing has changed. tenantry.instances has rows of tenantry/prod-acme: " +
      "destroy their resources first.",
  );
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(tenant, "refresh")).toEqual([]);

  await tenant.destroy();
  await whole.destroy();
  // In production backups stay.
  expect(edge.store.counts()).toEqual({ bucket: 2 });
});
