import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { TAKE_OVER_VARIABLE } from "#domain/tenants/owner.ts";
import { changedResources, pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

test("moves a tenant to a stack of its own by moving its state, and changes only its owner", async () => {
  const edge = await temporaryPlatform();
  const whole = await stackOf(edge, platformSettings([{ slug: "acme", partner: "globex" }, { slug: "lab" }]));
  await whole.up();
  const account = edge.store.counts();

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
  const up = (...more: string[]) =>
    pulumi(edge, join(ROOT, "tenants"), [
      "up",
      "--yes",
      "--skip-preview",
      "-s",
      "prod-acme",
      "--config-file",
      file,
      ...more,
    ]);
  expect((await up()).output).toContain("the client acme belongs to the stack tenantry/whole");
  vi.stubEnv(TAKE_OVER_VARIABLE, "acme");
  const own = await up("--diff");
  vi.unstubAllEnvs();
  expect(own, own.output).toMatchObject({ code: 0 });
  expect(own.output).not.toMatch(/\d+ (created|deleted|replaced)/);
  const again = await up("--expect-no-changes");
  expect(again, again.output).toMatchObject({ code: 0 });
  expect(edge.store.counts()).toEqual(account);
  expect(edge.store.get("script", "tenants/tenant-acme")?.tags).toContain("stack:tenantry/prod-acme");
});
