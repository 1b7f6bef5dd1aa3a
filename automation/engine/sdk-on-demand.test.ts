import { printed } from "@tenantry/automation-api/testing/printed";
import { expect, test } from "vitest";

const LOADED = `Object.keys(createRequire(import.meta.url).cache).filter((path) => /node_modules.(typescript|@npmcli.arborist).lib|vendor.typescript/.test(path)).length`;

test("the SDK loads neither compiler nor npm until something needs them, and then as ever", () => {
  const [before, serialized, after] = printed(`
    import { createRequire } from "node:module";
    await import("./automation/engine/sdk-on-demand.ts");
    const { runtime } = await import("@pulumi/pulumi");
    await import("@pulumi/pulumi/automation/index.js");
    console.log(${LOADED});
    console.log((await runtime.serializeFunction(() => 41 + 1)).text.includes("41 + 1"));
    console.log(${LOADED} > 1);
  `).split("\n");
  // What stands in for npm's has its place.
  expect([before, serialized, after]).toEqual(["1", "true", "true"]);
});
