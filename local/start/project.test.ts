import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { declaredImage, forgetSalt, prepareProject } from "./project.ts";

const SETTINGS = `# A comment.
config:
  tenantry:platform:
    domain: tenantry.localhost
    containerImage: registry.example/gateway:1
`;

test("replaces the declared image by a container engine's in the engine's files only", () => {
  const directory = mkdtempSync(join(tmpdir(), "project-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const settings = join(directory, "Pulumi.local.yaml");
  const laid = () => readFileSync(join(directory, "project/Pulumi.local.yaml"), "utf8");
  writeFileSync(settings, SETTINGS);
  expect(declaredImage(settings)).toBe("registry.example/gateway:1");

  prepareProject(directory, "local", settings, false, "gateway:2");
  expect(parse(laid()).config["tenantry:platform"]).toEqual({
    domain: "tenantry.localhost",
    containerImage: "gateway:2",
  });
  prepareProject(directory, "local", settings);
  expect(laid()).toBe(SETTINGS);
  expect(readFileSync(settings, "utf8")).toBe(SETTINGS);

  writeFileSync(settings, "config:\n  tenantry:clients: []\n");
  expect(declaredImage(settings)).toBeUndefined();
  prepareProject(directory, "local", settings, false, "gateway:2");
  expect(laid()).not.toContain("gateway:2");
});

test("uses the salt of the settings, and without one that of the last run", () => {
  const directory = mkdtempSync(join(tmpdir(), "project-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const settings = join(directory, "Pulumi.local.yaml");
  const laid = join(directory, "project/Pulumi.local.yaml");
  writeFileSync(settings, SETTINGS);
  prepareProject(directory, "local", settings);
  writeFileSync(laid, `encryptionsalt: v1:first\n${SETTINGS}`);
  prepareProject(directory, "local", settings);
  expect(parse(readFileSync(laid, "utf8")).encryptionsalt).toBe("v1:first");

  writeFileSync(settings, `${SETTINGS}encryptionsalt: v1:second\n`);
  prepareProject(directory, "local", settings);
  expect(parse(readFileSync(laid, "utf8")).encryptionsalt).toBe("v1:second");

  writeFileSync(settings, SETTINGS);
  forgetSalt(directory, "local");
  prepareProject(directory, "local", settings);
  expect(readFileSync(laid, "utf8")).toBe(SETTINGS);
});
