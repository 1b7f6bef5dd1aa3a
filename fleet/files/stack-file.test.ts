import { expect, test } from "vitest";
import { readStackFile, stackOfFile } from "./stack-file.ts";

test("recognizes stacks' files by name", () => {
  expect(["Pulumi.prod-acme.yaml", "Pulumi.yaml", "Pulumi.a/b.yaml", "notes.md"].map(stackOfFile)).toEqual([
    "prod-acme",
    undefined,
    undefined,
    undefined,
  ]);
});

test("reads settings, other configuration and the encryption", () => {
  const text = `encryptionsalt: v1:salt
config:
  cloudflare:apiToken: { secure: "v1:x" }
  tenantry:platformStack: prod
  tenantry:databaseUrl: ""
  tenantry:clients:
    - { slug: acme, name: Acme, plan: pro, instances: [{ doors: [{ name: team, kind: slack }] }] }
  tenantry:doorSecrets: { acme: { team: { signingSecret: { secure: "v1:y" } } } }
`;
  const file = readStackFile("prod-acme", text);
  expect(file.encryption).toEqual({ encryptionsalt: "v1:salt" });
  expect(file.config).toHaveProperty(["cloudflare:apiToken"]);
  expect(file.settings.clients).toMatchObject([
    { slug: "acme", plan: "pro", instances: [{ doors: [{ name: "team" }] }] },
  ]);
  expect(file.config).toHaveProperty(["tenantry:doorSecrets"]);
});

test("reports every fault of a file, and invalid files", () => {
  const twice = "config:\n  tenantry:clients:\n    - { slug: dash, name: A, plan: gold }\n";
  expect(() => readStackFile("a", twice)).toThrow(/clients\[0\].slug[\s\S]*clients\[0\].plan[\s\S]*tenantry:platform/);
  expect(() => readStackFile("a", "a: [")).toThrow("Pulumi.a.yaml is not valid YAML");
  expect(() => readStackFile("a", "- 1")).toThrow('no mapping "config"');
});
