import { expect, test } from "vitest";
import { changedResources } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

test("a platform goes only when no other stack has tenants on it, and in production only when it is no longer protected", async () => {
  const edge = await temporaryEdge();
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
  await expect(whole.destroy()).rejects.toThrow(/protected/);
  expect(edge.store.counts()).toEqual(before);

  await stackOf(edge, platform(false));
  await whole.up();
  await expect(whole.destroy()).rejects.toThrow(
    "The platform is not removed, nor anything of it: tenantry.instances has rows of tenantry/prod-acme: " +
      "destroy what they stand for first.",
  );
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(tenant, "refresh")).toEqual([]);

  await tenant.destroy();
  await whole.destroy();
  // In production backups stay.
  expect(edge.store.counts()).toEqual({ bucket: 2 });
});
