import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { deployStack } from "#local/start/deployment.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { changedResources } from "../testing/engine.ts";
import { call, callUntil } from "../testing/http.ts";
import { backupsOf, openEdge, platformSettings, stackOf, temporaryEdge } from "../testing/platform.ts";

/** Sorted names and types of all resources of a platform with one tenant that has a door. */
const LAYOUT = join(import.meta.dirname, "layout.txt");

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openEdge());
});
afterAll(() => close?.());

function settings(defaultModel: string, slugs: string[] = []) {
  const doors = [{ name: "deploys", kind: "github" }];
  const whole = platformSettings(slugs.map((slug) => ({ slug, doors })));
  return { ...whole, "tenantry:platform": { ...whole["tenantry:platform"], defaultModel } };
}

/** Deploys as `npm start` does. @returns the changed resources, and whether it ran the engine's update */
async function run(stack: Stack): Promise<{ changed: string[]; updates: number }> {
  const changed: string[] = [];
  const before = (await stack.history()).length;
  await deployStack(stack, { onStep: ({ phase, type, name }) => phase === "done" && changed.push(`${type} ${name}`) });
  return { changed, updates: (await stack.history()).length - before };
}

test("skips the update when nothing changes, but not when an output alone does", async () => {
  const stack = await stackOf(edge, settings("openai/gpt-5"));
  expect((await run(stack)).changed).not.toEqual([]);
  expect(await run(stack)).toEqual({ changed: [], updates: 0 });
  // Not visible in this stack; stacks of tenants read it.
  await stackOf(edge, settings("openai/gpt-6"));
  expect(await run(stack)).toEqual({ changed: [], updates: 1 });
  expect((await stack.outputs()).platform?.value).toMatchObject({ defaultModel: "openai/gpt-6" });
  expect(await run(stack)).toEqual({ changed: [], updates: 0 });
});

/** Old names, as in a state after `::`, of resources that were renamed or moved since `layout.txt` was written. */
const RENAMED: Readonly<Record<string, string>> = {};

/**
 * Each resource has the name in `layout.txt`, or an alias with that name. After a rename or move, add an alias, and the old name to
 * {@link RENAMED}. Add new resources to `layout.txt`.
 */
test("finds every resource that an earlier version deployed, under its name or an alias", async () => {
  const stack = await stackOf(edge, settings("openai/gpt-6", ["acme"]));
  await run(stack);
  const { version, deployment } = await stack.exportStack();
  const names = z
    .array(z.looseObject({ urn: z.string() }))
    .parse(deployment.resources)
    .map(({ urn }) => urn.split("::").slice(2).join("::"))
    // Names of providers contain their versions.
    .filter((name) => !name.startsWith("pulumi:"));
  const known = readFileSync(LAYOUT, "utf8").trim().split("\n");
  expect(names.map((name) => RENAMED[name] ?? name).toSorted()).toEqual(known);
  const under = async (renamed: Readonly<Record<string, string>>) => {
    let text = JSON.stringify(deployment);
    for (const [now, before] of Object.entries(renamed)) text = text.replaceAll(`::${now}"`, `::${before}"`);
    await stack.importStack({ version, deployment: JSON.parse(text) });
    return changedResources(stack, "preview");
  };
  expect(await under(RENAMED)).toEqual([]);
  // Without an alias a renamed resource would be replaced here.
  const bucket = names.find((name) => name.endsWith("R2Bucket::acme")) ?? "";
  expect(await under({ [bucket]: `${bucket}-of-before` })).toEqual(
    expect.arrayContaining(["create R2Bucket acme", "delete R2Bucket acme-of-before"]),
  );
});

test("deploys a platform, finds nothing to change afterwards, and destroys everything except retained buckets", async () => {
  const edge = await temporaryEdge();
  const settings = platformSettings([
    { slug: "acme", plan: "pro", partner: "globex" },
    { slug: "lab" },
    { slug: "more" },
  ]);
  const stack = await stackOf(edge, settings);
  const first = await changedResources(stack, "up");
  expect(first.length).toBeGreaterThan(60);
  expect(
    edge.store
      .list("script")
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([
    "tenantry-dashboard",
    "tenantry-dispatch",
    "tenants/tenant-acme",
    "tenants/tenant-lab",
    "tenants/tenant-more",
  ]);
  // Two fit in the pool; the third has a gateway of its own.
  expect(
    edge.store
      .list("ai_gateway")
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(["pool-a", "tenantry-more"]);

  // The vendor's plugin does not prevent concurrent changes of privileges on one object by two grants.
  const grants = (await resources(stack)).filter(({ type }) => type === "postgresql:index/grant:Grant");
  expect(grants.length).toBeGreaterThan(1);
  for (const { dependencies } of grants.slice(1)) expect(dependencies.join()).toContain("postgresql:index/grant:Grant");

  expect(await changedResources(stack, "preview")).toEqual([]);
  expect(await changedResources(stack, "up")).toEqual([]);

  // The tenants' data is saved before the dispatch Worker, which orders the backups, is deleted.
  for (const { type, dependencies } of await resources(stack)) {
    if (type !== "tenantry:index:ContainerApplication") continue;
    for (const name of ["WorkersScript::dispatch", "WorkersRoute::wildcard", "DnsRecord::wildcard"])
      expect(dependencies.join()).toContain(name);
  }
  const backups = () => backupsOf(edge, "acme");
  await callUntil(
    () => call(edge, "acme.tenantry.localhost", "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).readiness.ok,
  );
  await expect.poll(backups, { timeout: 60_000 }).toHaveLength(1);
  await stack.destroy();
  expect(edge.store.counts()).toEqual({ bucket: 3 });
  expect(await backups()).toHaveLength(2);
});

/** Returns the resources of the state in order of dependencies. */
async function resources(stack: Stack): Promise<{ type: string; dependencies: string[] }[]> {
  const { deployment } = await stack.exportStack();
  return deployment.resources;
}
