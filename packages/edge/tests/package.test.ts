/** Runs the edge from the package as npm installs it in an empty project. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { installPacked, type PackedPackage } from "@tenantry/test-kit/packed-package";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EdgeCommand } from "./testing/edge-command.ts";

let packed: PackedPackage;

beforeAll(() => {
  packed = installPacked("packages/edge");
});
afterAll(() => packed?.remove());

test("runs the installed command with wrangler and a container", async () => {
  const edge = await EdgeCommand.start(join(packed.installed, "bin/tenantry-edge"), packed.project);
  try {
    await edge.pushImage();
    const wrangler = await edge.wranglerProject();
    await wrangler("box", "deploy");
    expect((await edge.call("box.edge.localhost", "/")).body).toBe("Hello from the container\n");
  } finally {
    expect(await edge.stop()).toBe(0);
  }
});

test("starts an edge by the installed module", () => {
  const program = `
    import { startEdge } from "@tenantry/edge";
    const edge = await startEdge({ directory: "embedded", port: 0 });
    const response = await fetch(edge.apiUrl + "/user/tokens/verify", { headers: { authorization: "Bearer " + edge.apiToken } });
    console.log((await response.json()).result.status);
    await edge.stop();`;
  const run = ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", program];
  expect(execFileSync(process.execPath, run, { cwd: packed.project, encoding: "utf8" })).toBe("active\n");
});
