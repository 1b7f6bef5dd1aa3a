import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readStack, stacksDeclaring } from "./sources.ts";

test("finds the stacks that declare a tenant of an environment and ignores other files", () => {
  const root = mkdtempSync(join(tmpdir(), "tenantry-sources-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const directory = join(root, "tenants");
  mkdirSync(directory);
  const clients = (...slugs: string[]) => slugs.map((slug) => ({ slug, name: slug, plan: "free" }));
  const write = (path: string, config: object) => writeFileSync(join(root, path), JSON.stringify({ config }));
  write("Pulumi.prod.yaml", { "tenantry:platform": {}, "tenantry:clients": clients("acme", "lab") });
  write("tenants/Pulumi.prod-acme.yaml", { "tenantry:platformStack": "prod", "tenantry:clients": clients("acme") });
  write("tenants/Pulumi.dev-acme.yaml", {
    "tenantry:environment": "development",
    "tenantry:platformStack": "dev",
    "tenantry:clients": clients("acme"),
  });
  writeFileSync(join(directory, "Pulumi.broken.yaml"), "{");
  writeFileSync(join(root, "Pulumi.yaml"), "name: tenantry\n");
  const names = (environment: "production" | "development", slug: string) =>
    stacksDeclaring(directory, environment, slug).map(({ stack, isPlatform }) => `${stack} ${isPlatform}`);
  expect(names("production", "acme")).toEqual(["prod true", "prod-acme false"]);
  expect(names("production", "lab")).toEqual(["prod true"]);
  expect(names("development", "acme")).toEqual(["dev-acme false"]);
  expect(names("development", "lab")).toEqual([]);
  expect(() => readStack("broken", join(directory, "Pulumi.broken.yaml"))).toThrow("is not valid YAML");
});
