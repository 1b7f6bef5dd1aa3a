import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Runs a module in a process of its own, whose SDK is another than this one's. @returns what it printed */
const printed = (source: string): string =>
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", source], {
    cwd: ROOT,
    encoding: "utf8",
  });

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
