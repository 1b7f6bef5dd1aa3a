import { join } from "node:path";
import { expect, it } from "vitest";
import type { Edge } from "../../local/edge.ts";
import { pulumi, ROOT } from "../testing/engine.ts";
import { clientSettings, platformSettings, stackOf, temporaryEdge, writeSettings } from "../testing/platform.ts";

/** The engine with a stack file outside the checkout, so that a run leaves no file in it. */
async function run(edge: Edge, directory: string, stack: string, settings: Record<string, unknown>, command: string[]) {
  const file = await writeSettings(edge, stack, settings);
  return pulumi(edge, join(ROOT, directory), [...command, "-s", stack, "--config-file", file]);
}

it("previews by the plain command line in the project's directory", async () => {
  const edge = await temporaryEdge();
  expect((await pulumi(edge, ROOT, ["stack", "ls"])).code).toBe(0);
  const settings = platformSettings([{ slug: "acme" }]);
  const file = await writeSettings(edge, "plain", settings);
  expect(await pulumi(edge, ROOT, ["stack", "init", "plain", "--config-file", file])).toMatchObject({ code: 0 });
  const preview = await pulumi(edge, ROOT, ["preview", "-s", "plain", "--config-file", file]);
  expect(preview.output).toContain("tenantry:index:NamespacedScript");
  expect(preview).toMatchObject({ code: 0 });
});

it("reports all faults of the settings, each with its path, and deploys nothing", async () => {
  const edge = await temporaryEdge();
  const settings = platformSettings([{ slug: "dash", plan: "gold" }]);
  const file = await writeSettings(edge, "faulty", settings);
  await pulumi(edge, ROOT, ["stack", "init", "faulty", "--config-file", file]);
  const preview = await pulumi(edge, ROOT, ["preview", "-s", "faulty", "--config-file", file]);
  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain("tenantry:clients[0].slug");
  expect(preview.output).toContain("tenantry:clients[0].plan");
  expect(preview.output).not.toMatch(/\bat .*components\//);
});

it("deploys a stack of tenants alone from tenants/, on the platform of another stack", async () => {
  const edge = await temporaryEdge();
  const tenants = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings([{ slug: "remote", partner: "globex" }]),
  };
  const file = await writeSettings(edge, "prod-remote", tenants);
  const tenantsDirectory = join(ROOT, "tenants");
  const init = await pulumi(edge, tenantsDirectory, ["stack", "init", "prod-remote", "--config-file", file]);
  expect(init, init.output).toMatchObject({ code: 0 });

  // Nothing is deployed yet: the preview works with what it does not know.
  const early = await run(edge, "tenants", "prod-remote", tenants, ["preview"]);
  expect(early.output).toContain("is not deployed yet");
  expect(early, early.output).toMatchObject({ code: 0 });
  const refused = await run(edge, "tenants", "prod-remote", tenants, ["up", "--yes", "--skip-preview"]);
  expect(refused.code).not.toBe(0);
  expect(edge.store.list("script")).toEqual([]);

  await (await stackOf(edge, platformSettings([{ slug: "acme" }]))).up();
  const up = await run(edge, "tenants", "prod-remote", tenants, ["up", "--yes", "--skip-preview"]);
  expect(up, up.output).toMatchObject({ code: 0 });
  expect(edge.store.get("script", "tenants/tenant-remote")?.tags).toContain("env:production");
  const again = await run(edge, "tenants", "prod-remote", tenants, ["preview", "--expect-no-changes"]);
  expect(again, again.output).toMatchObject({ code: 0 });

  const destroyed = await run(edge, "tenants", "prod-remote", tenants, ["destroy", "--yes", "--skip-preview"]);
  expect(destroyed, destroyed.output).toMatchObject({ code: 0 });
  expect(edge.store.get("script", "tenants/tenant-remote")).toBeUndefined();
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeDefined();
});
