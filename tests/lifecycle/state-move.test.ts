import { join } from "node:path";
import { expect, it } from "vitest";
import { changedResources, pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

it("moves a tenant to a stack of its own by moving its state, and finds nothing to change in either", async () => {
  const edge = await temporaryEdge();
  const whole = await stackOf(edge, platformSettings([{ slug: "acme", partner: "globex" }, { slug: "lab" }]));
  await whole.up();
  const account = edge.store.digest();

  await stackOf(
    edge,
    {
      "tenantry:environment": "production",
      "tenantry:platformStack": "organization/tenantry/whole",
      "tenantry:clients": clientSettings([{ slug: "acme", partner: "globex" }]),
    },
    "prod-acme",
  );
  const client = "urn:pulumi:whole::tenantry::tenantry:components:Client::acme";
  const stacks = ["--source", "organization/tenantry/whole", "--dest", "organization/tenantry/prod-acme"];
  const moved = await pulumi(edge, join(ROOT, "tenants"), ["state", "move", ...stacks, client, "--yes"]);
  expect(moved, moved.output).toMatchObject({ code: 0 });

  const rest = await stackOf(edge, platformSettings([{ slug: "lab" }]));
  expect(await changedResources(rest, "up")).toEqual([]);
  const file = join(edge.directory, "project/Pulumi.prod-acme.yaml");
  const up = ["up", "--yes", "--skip-preview", "--expect-no-changes", "-s", "prod-acme", "--config-file", file];
  const own = await pulumi(edge, join(ROOT, "tenants"), up);
  expect(own, own.output).toMatchObject({ code: 0 });
  expect(edge.store.digest()).toBe(account);
});
