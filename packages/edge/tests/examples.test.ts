/** The examples, run as the README says: the command `tenantry-edge`, wrangler and Pulumi, with nothing else between them. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { ENGINE_VERSION } from "@tenantry/plugin-host/testing/test-stack";
import { freePort } from "@tenantry/std/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "..");
const EXAMPLES = join(PACKAGE, "examples");
const WRANGLER = join(PACKAGE, "../../node_modules/wrangler/bin/wrangler.js");
const COMMAND = join(PACKAGE, "bin/tenantry-edge");

let directory: string;
let command: ChildProcess;
let port: number;
let variables: Record<string, string>;

/** Starts the command and waits until it serves. */
async function startCommand(): Promise<void> {
  command = spawn(COMMAND, ["--state", join(directory, "state"), "--port", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of command.stdout ?? []) {
    printed += String(chunk);
    if (printed.includes("Press Ctrl-C")) break;
  }
  const lines = (await readFile(join(directory, "state/edge.env"), "utf8")).trim().split("\n");
  variables = Object.fromEntries(lines.map((line) => line.replace("export ", "").split("=") as [string, string]));
}

async function stopCommand(): Promise<void> {
  if (command.exitCode !== null) return;
  const ended = once(command, "exit");
  command.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "edge-examples-"));
  port = await freePort();
  await startCommand();
});
afterAll(async () => {
  await stopCommand();
  await rm(directory, { recursive: true, force: true });
});

interface Answer {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: string;
}

function call(host: string, path: string, put?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      method: put === undefined ? "GET" : "PUT",
      headers: { host },
    });
    sent.once("error", reject);
    sent.once("response", (response) => {
      const { statusCode: status, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.end(put);
  });
}

test("a wrangler project: a dispatch namespace with a user Worker, KV, R2, a Durable Object, and a container", async () => {
  const project = join(directory, "wrangler");
  await cp(join(EXAMPLES, "wrangler"), project, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: directory, CI: "true", WRANGLER_SEND_METRICS: "false", ...variables };
  const wrangler = async (folder: string, ...args: string[]) => {
    await promisify(execFile)(process.execPath, [WRANGLER, ...args], { cwd: join(project, folder), env });
  };
  await wrangler(".", "dispatch-namespace", "create", "customers");
  await wrangler(".", "r2", "bucket", "create", "acme-files");
  await wrangler("customer", "deploy", "--dispatch-namespace", "customers");
  await wrangler("dispatcher", "deploy");
  await wrangler("box", "deploy");

  expect(await call("acme.edge.localhost", "/note", "kept")).toMatchObject({ status: 200, body: "Stored\n" });
  const read = await call("acme.edge.localhost", "/note");
  expect(read).toMatchObject({ status: 200, body: '{"note":"kept","file":"kept"}' });
  expect(read.headers["x-requests"]).toBe("2");
  expect(await call("nobody.edge.localhost", "/")).toMatchObject({
    status: 404,
    body: "There is no customer nobody.\n",
  });
  expect(await call("box.edge.localhost", "/")).toMatchObject({ status: 200, body: "Hello from the container\n" });

  await stopCommand();
  await startCommand();
  expect((await call("acme.edge.localhost", "/note")).headers["x-requests"]).toBe("3");
  expect((await call("box.edge.localhost", "/")).body).toBe("Hello from the container\n");

  await wrangler("box", "delete", "--force");
  expect((await call("box.edge.localhost", "/")).body).not.toContain("container");
});

test("a Pulumi project with the vendor's package", async () => {
  const state = join(directory, "pulumi");
  await mkdir(state);
  const pulumi = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)("pulumi", [...args, "--stack", "dev", "--non-interactive"], {
      cwd: join(EXAMPLES, "pulumi"),
      env: {
        ...process.env,
        ...variables,
        PATH: [join(PACKAGE, "bin"), join(homedir(), `.pulumi/versions/${ENGINE_VERSION}/bin`), process.env.PATH].join(
          ":",
        ),
        PULUMI_BACKEND_URL: `file://${state}`,
        PULUMI_CONFIG_PASSPHRASE: "example",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      },
    });
    return stdout;
  };
  await pulumi("stack", "init");
  expect(await pulumi("up", "--yes")).toContain("+ 4 created");
  expect((await call("visits.edge.localhost", "/")).body).toBe("Visit 1");
  expect((await call("visits.edge.localhost", "/")).body).toBe("Visit 2");
  expect(await pulumi("up", "--yes")).toContain("4 unchanged");
  expect(await pulumi("destroy", "--yes")).toContain("- 4 deleted");
  expect((await call("visits.edge.localhost", "/")).status).toBe(404);
});

test("an unknown option is refused with the options that there are", async () => {
  const failure = await promisify(execFile)(COMMAND, ["--prot", "1"]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining("--prot") });
});
