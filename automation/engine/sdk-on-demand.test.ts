import { runModule } from "@tenantry/automation-api/testing/printed";
import { expect, test } from "vitest";

const LOADED = `Object.keys(createRequire(import.meta.url).cache).filter((path) => /node_modules.(typescript|@npmcli.arborist).lib|vendor.typescript/.test(path)).length`;

test("loads the compiler and npm on first use", () => {
  const [before, serialized, after] = runModule(`
    import { createRequire } from "node:module";
    await import("./automation/engine/sdk-on-demand.ts");
    const { runtime } = await import("@pulumi/pulumi");
    await import("@pulumi/pulumi/automation/index.js");
    console.log(${LOADED});
    console.log((await runtime.serializeFunction(() => 41 + 1)).text.includes("41 + 1"));
    console.log(${LOADED} > 1);
  `).split("\n");
  // The stand-in for npm's module is in the cache.
  expect([before, serialized, after]).toEqual(["1", "true", "true"]);
});
