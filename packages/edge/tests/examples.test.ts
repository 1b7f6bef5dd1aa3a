/** Runs the examples as the README describes: with the command `tenantry-edge`, wrangler and Pulumi. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ENGINE_VERSION } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EdgeCommand, EXAMPLES, PACKAGE } from "./testing/edge-command.ts";

const PROGRAM = join(PACKAGE, "bin/tenantry-edge");

let directory: string;
let edge: EdgeCommand;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "edge-examples-"));
  edge = await EdgeCommand.start(PROGRAM, directory);
  await edge.pushImage();
});
afterAll(async () => {
  await edge?.stop();
  await rm(directory, { recursive: true, force: true });
});

test("deploys a wrangler project: a dispatch namespace with a user Worker, KV, R2, a Durable Object and a container", async () => {
  const wrangler = await edge.wranglerProject();
  await wrangler(".", "dispatch-namespace", "create", "customers");
  await wrangler(".", "r2", "bucket", "create", "acme-files");
  await wrangler("customer", "deploy", "--dispatch-namespace", "customers");
  await wrangler("dispatcher", "deploy");
  await wrangler("box", "deploy");

  expect(await edge.call("acme.edge.localhost", "/note", "kept")).toMatchObject({ status: 200, body: "Stored\n" });
  const read = await edge.call("acme.edge.localhost", "/note");
  expect(read).toMatchObject({ status: 200, body: '{"note":"kept","file":"kept"}' });
  expect(read.headers["x-requests"]).toBe("2");
  const unknown = await edge.call("nobody.edge.localhost", "/");
  expect(unknown).toMatchObject({ status: 404, body: "There is no customer nobody.\n" });
  expect((await edge.call("box.edge.localhost", "/")).body).toBe("Hello from the container\n");

  expect(await edge.stop()).toBe(0);
  await edge.start();
  expect((await edge.call("acme.edge.localhost", "/note")).headers["x-requests"]).toBe("3");
  expect((await edge.call("box.edge.localhost", "/")).body).toBe("Hello from the container\n");

  await wrangler("box", "delete", "--force");
  expect((await edge.call("box.edge.localhost", "/")).status).toBe(404);
});

test("deploys a Pulumi project with the vendor's package", async () => {
  const [state, project] = [join(directory, "pulumi-state"), join(directory, "pulumi")];
  await mkdir(state);
  await cp(join(EXAMPLES, "pulumi"), project, { recursive: true });
  await symlink(join(PACKAGE, "../../node_modules"), join(project, "node_modules"));
  const path = [join(PACKAGE, "bin"), join(homedir(), `.pulumi/versions/${ENGINE_VERSION}/bin`), process.env.PATH];
  const env = {
    ...process.env,
    ...edge.variables,
    PATH: path.join(":"),
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_CONFIG_PASSPHRASE: "example",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const pulumi = async (...args: string[]) => {
    const options = [...args, "--stack", "dev", "--non-interactive"];
    return (await promisify(execFile)("pulumi", options, { cwd: project, env })).stdout;
  };
  await pulumi("stack", "init");
  expect(await pulumi("up", "--yes")).toContain("+ 4 created");
  expect((await edge.call("visits.edge.localhost", "/")).body).toBe("Visit 1");
  expect((await edge.call("visits.edge.localhost", "/")).body).toBe("Visit 2");
  expect(await pulumi("up", "--yes")).toContain("4 unchanged");
  expect(await pulumi("destroy", "--yes")).toContain("- 4 deleted");
  expect((await edge.call("visits.edge.localhost", "/")).status).toBe(404);
});

test("reports an unknown option by its name", async () => {
  const failure = await promisify(execFile)(PROGRAM, ["--prot", "1"]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining("--prot") });
});
