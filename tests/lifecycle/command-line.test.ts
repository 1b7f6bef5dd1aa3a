import { join } from "node:path";
import { expect, test } from "vitest";
import { DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { readTenantryOutputs } from "#stack/outputs.ts";
import { pulumi, ROOT } from "../testing/engine.ts";
import { exampleStack, previewElsewhere } from "../testing/example.ts";
import { clientSettings, encryptByPassphrase, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

/** A stack file outside the checkout, and the engine's command line in a directory of the checkout. */
async function commandLine(edge: Edge, directory: string, name: string, settings: Record<string, unknown>) {
  await stackOf(edge, settings, name);
  const file = join(edge.directory, "project", `Pulumi.${name}.yaml`);
  return (...command: string[]) => pulumi(edge, join(ROOT, directory), [...command, "-s", name, "--config-file", file]);
}

test("previews by the plain command line in the project's directory", async () => {
  const edge = await temporaryEdge();
  const run = await commandLine(edge, ".", "plain", platformSettings([{ slug: "acme" }]));
  const preview = await run("preview");
  expect(preview, preview.output).toMatchObject({ code: 0 });
  expect(preview.output).toContain("tenantry:index:NamespacedScript");
});

test("reports all faults of the settings, each with its path, without a stack trace", async () => {
  const edge = await temporaryEdge();
  const run = await commandLine(edge, ".", "faulty", platformSettings([{ slug: "dash", plan: "gold" }]));
  const preview = await run("preview");
  expect(preview.code).not.toBe(0);
  expect(preview.output).toContain("tenantry:clients[0].slug");
  expect(preview.output).toContain("tenantry:clients[0].plan");
  expect(preview.output).not.toMatch(/\bat .*components\//);
});

test("deploys a stack of tenants alone from tenants/, on the platform of another stack", async () => {
  encryptByPassphrase();
  const edge = await temporaryEdge();
  const remote = (plan: string) =>
    commandLine(edge, "tenants", "prod-remote", {
      "tenantry:environment": "production",
      "tenantry:platformStack": "organization/tenantry/whole",
      "tenantry:clients": clientSettings([{ slug: "remote", partner: "globex", plan }]),
    });
  const run = await remote("basic");

  // Nothing is deployed yet: the preview works with unknown values, and up refuses.
  const early = await run("preview");
  expect(early, early.output).toMatchObject({ code: 0 });
  expect(early.output).toContain("is not deployed yet");
  expect((await run("up", "--yes", "--skip-preview")).code).not.toBe(0);
  expect(edge.store.list("script")).toEqual([]);

  const providerKeys = { openai: "sk-1" };
  const platform = await stackOf(edge, platformSettings([{ slug: "acme" }], { "tenantry:providerKeys": providerKeys }));
  // Here the policies see values that a preview does not know.
  const said: unknown[] = [];
  await platform.up({
    policyPacks: [join(ROOT, "policy/run")],
    onEvent: ({ policyEvent }) => policyEvent && said.push(policyEvent),
  });
  expect(said).toEqual([]);
  const up = await run("up", "--yes", "--skip-preview");
  expect(up, up.output).toMatchObject({ code: 0 });
  expect(edge.store.get("script", "tenants/tenant-remote")?.tags).toContain("env:production");
  expect(edge.store.get("script", "tenants/tenant-remote")?.bindings).toContainEqual(
    expect.objectContaining({ name: "PROVIDER_KEYS", text: JSON.stringify(providerKeys) }),
  );
  const again = await run("preview", "--expect-no-changes");
  expect(again, again.output).toMatchObject({ code: 0 });

  // A plan's changes are readable here too, although the platform's values are another stack's outputs.
  const change = await (await remote("pro"))("preview", "--diff");
  expect(change.output).toContain('~ text: "1800" => "7200"');
  expect(change.output).toContain(
    "remote  changed   plan basic → pro, AI gateway pool-a (pooled); its container restarts",
  );

  await monitorFromElsewhere(edge, ["whole", "prod-remote"]);

  const destroyed = await run("destroy", "--yes", "--skip-preview");
  expect(destroyed, destroyed.output).toMatchObject({ code: 0 });
  expect(edge.store.get("script", "tenants/tenant-remote")).toBeUndefined();
  expect(edge.store.get("script", "tenants/tenant-acme")).toBeDefined();
});

/** Another project's stack creates a monitor per tenant from those stacks' outputs. */
async function monitorFromElsewhere(edge: Edge, stacks: [string, string]): Promise<void> {
  const [platformStack, tenants] = stacks.map((name) => `organization/tenantry/${name}`) as [string, string];
  const monitoring = await exampleStack(edge, "monitoring", { platformStack, tenantStacks: [tenants] });
  const up = await monitoring("up", "--yes", "--skip-preview");
  expect(up, up.output).toMatchObject({ code: 0 });
  const checks = edge.store.list("healthcheck").map(({ name, address }) => [name, address]);
  expect(checks.toSorted()).toEqual([
    ["tenant-acme", `acme.${DOMAIN}`],
    ["tenant-remote", `remote.${DOMAIN}`],
  ]);

  const preview = await monitoring("preview", "--config", "platformStack=organization/tenantry/nowhere");
  expect(preview.code, preview.output).not.toBe(0);
  expect(preview.output).toContain("there is no stack organization/tenantry/nowhere; check its name");
  expect(preview.output).not.toMatch(/\bat .*outputs\.ts/);
  await expect(
    previewElsewhere(edge, async () => {
      await readTenantryOutputs(platformStack, ["databaseUrl"]);
    }),
  ).rejects.toThrow(`the secret databaseUrl of the stack ${platformStack} cannot be read; give both stacks the same`);
}
