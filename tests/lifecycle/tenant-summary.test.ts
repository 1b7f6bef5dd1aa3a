import { join } from "node:path";
import { expect, test } from "vitest";
import { pulumi, ROOT } from "../testing/engine.ts";
import { platformSettings, stackOf, temporaryPlatform } from "../testing/platform.ts";

type Clients = Parameters<typeof platformSettings>[0];

/** The last printed summary, without padding. */
function summaryIn(output: string): string[] {
  const [head = "", ...rest] = output.slice(output.lastIndexOf("tenants: ")).split("\n");
  const end = rest.findIndex((line) => !/^ +[a-z-]+ +(created|changed|replaced|removed)\b/.test(line));
  return [head, ...rest.slice(0, end)].map((line) => line.trim().replaceAll(/ {2,}/g, " "));
}

test("summarizes the changes of each tenant at the end of a run, by the command line and the Automation API", async () => {
  const edge = await temporaryPlatform();
  const declare = (clients: Clients) => stackOf(edge, platformSettings(clients));
  const stack = await declare([{ slug: "acme", plan: "free" }, { slug: "gone" }, { slug: "lab" }]);
  const run = async (...command: string[]) => {
    const file = join(edge.directory, "project", "Pulumi.whole.yaml");
    const { code, output } = await pulumi(edge, ROOT, [...command, "-s", "whole", "--config-file", file]);
    expect(code, output).toBe(0);
    return output;
  };
  const first = [
    "tenants: 3 created",
    "acme created plan free, AI gateway pool-a (pooled)",
    "gone created plan basic, AI gateway pool-a (pooled)",
    "lab created plan basic, AI gateway tenantry-lab (dedicated)",
  ];
  const early = (await stack.preview()).stdout;
  expect(summaryIn(early)).toEqual(first);
  // Reported once per plan, and not for plans that are large enough.
  expect(early).toContain("plan free runs its tenant in lite (256 MiB), and the image's gateway needs 1024 MiB");
  expect(early).not.toContain("plan basic runs");
  expect(summaryIn((await stack.up()).stdout)).toEqual(first);
  expect(summaryIn((await stack.preview()).stdout)).toEqual(["tenants: 3 unchanged (rows, Worker, container)"]);
  // An access key's id is not secret.
  const secrets = edge.store
    .list("script")
    .flatMap(({ bindings }) =>
      bindings
        .filter(({ type, name }) => type === "secret_text" && name !== "R2_ACCESS_KEY_ID")
        .map(({ text }) => String(text)),
    );

  // Another plan, another gateway, a new tenant, a deleted tenant.
  await declare([{ slug: "acme", plan: "pro" }, { slug: "lab", aiGateway: "of-the-account" }, { slug: "beta" }]);
  const second = [
    "tenants: 1 created, 2 changed, 1 removed",
    "acme changed plan free → pro, AI gateway pool-a (pooled); its container restarts",
    "lab changed plan basic, AI gateway tenantry-lab → of-the-account (external)",
    // A deleted tenant keeps its place until the end.
    "beta created plan basic, AI gateway tenantry-beta (dedicated)",
    "gone removed",
  ];
  const preview = await run("preview", "--diff");
  expect(summaryIn(preview)).toEqual(second);
  expect(preview).toContain('ai_gateway_id     : "tenantry-beta"');
  const up = (await stack.up()).stdout;
  expect(summaryIn(up)).toEqual(second);
  expect(secrets.length).toBeGreaterThan(10);
  expect(secrets.filter((secret) => up.includes(secret) || preview.includes(secret))).toEqual([]);

  const script = (await stack.exportStack()).deployment.resources
    .map(({ urn }: { urn: string }) => urn)
    .find((urn: string) => urn.endsWith("NamespacedScript::lab"));
  const third = [
    "tenants: 1 replaced, 2 unchanged (rows, Worker, container)",
    "lab replaced plan basic, AI gateway of-the-account (external); recreated: Worker",
  ];
  expect(summaryIn((await stack.preview({ replace: [script] })).stdout)).toEqual(third);
  expect(summaryIn((await stack.up({ replace: [script] })).stdout)).toEqual(third);

  // Another size of a plan changes the container of each tenant on it.
  const clients = [{ slug: "acme", plan: "pro" }, { slug: "lab", aiGateway: "of-the-account" }, { slug: "beta" }];
  const { "tenantry:platform": platform, ...others } = platformSettings(clients);
  await stackOf(edge, { ...others, "tenantry:platform": { ...platform, containers: { basic: "standard-2" } } });
  const { stdout, stderr } = await stack.preview({ diff: true });
  const larger = `${stdout}${stderr}\n`;
  expect(larger).toMatch(/~ instanceType *: "standard-1" => "standard-2"/);
  expect(summaryIn(larger)).toEqual([
    "tenants: 2 changed, 1 unchanged (rows, Worker, container)",
    "lab changed plan basic, AI gateway of-the-account (external); its container restarts",
    "beta changed plan basic, AI gateway tenantry-beta (dedicated); its container restarts",
  ]);
  await declare(clients);

  // Runs without the program, or with a part of it, still work.
  await stack.refresh();
  expect(summaryIn((await stack.up({ target: [script] })).stdout)).toEqual([
    "tenants: 3 unchanged (rows, Worker, container)",
  ]);
  await stack.destroy();
  expect(edge.store.counts()).toEqual({ bucket: 4 });
});
