/** The package as npm installs it: `tools/pack.mjs` makes the tarball, and an edge runs from it in an empty project. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { EdgeCommand, PACKAGE } from "./testing/edge-command.ts";

const ROOT = join(PACKAGE, "../..");
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

let directory: string;
let installed: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "edge-package-"));
  installed = join(directory, "node_modules/@tenantry/edge");
  const packed = execFileSync(process.execPath, ["tools/pack.mjs", "packages/edge", directory], {
    cwd: ROOT,
    encoding: "utf8",
  });
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packed.trim(), "-C", installed, "--strip-components=1"]);
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")));
  for (const name of Object.keys(dependencies)) {
    const path = join(directory, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), path);
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("the installed command serves wrangler and a container", async () => {
  const edge = await EdgeCommand.start(join(installed, "bin/tenantry-edge"), directory);
  try {
    const wrangler = await edge.wranglerProject();
    await wrangler("box", "deploy");
    expect((await edge.call("box.edge.localhost", "/")).body).toBe("Hello from the container\n");
  } finally {
    expect(await edge.stop()).toBe(0);
  }
});

test("the installed module starts an edge", () => {
  const program = `
    import { startEdge } from "@tenantry/edge";
    const edge = await startEdge({ directory: "embedded", port: 0 });
    const response = await fetch(edge.apiUrl + "/user/tokens/verify", { headers: { authorization: "Bearer " + edge.apiToken } });
    console.log((await response.json()).result.status);
    await edge.stop();`;
  const run = ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", program];
  expect(execFileSync(process.execPath, run, { cwd: directory, encoding: "utf8" })).toBe("active\n");
});
