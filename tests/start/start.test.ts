import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Store } from "@tenantry/edge";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEdgeFile } from "#local/state/edge-file.ts";
import { killPrograms, processesOf, READY, startProgram } from "../testing/edge-program.ts";
import { ROOT } from "../testing/engine.ts";

let state: string;
let port: number;
beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  port = await freePort();
});
afterAll(async () => {
  killPrograms();
  await removeDatabase(join(state, "postgres"));
  rmSync(state, { recursive: true, force: true });
});

test("deploys the demo, prints addresses, leaves no processes, and finds everything at the next start", async () => {
  const first = startProgram("--state", state, "--port", String(port));
  await first.printed(READY);
  const edge = readEdgeFile(state);
  expect(statSync(join(state, "edge.json")).mode & 0o777).toBe(0o600);
  expect(statSync(join(state, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(edge.tenants.map(({ slug }) => slug).toSorted()).toEqual(["acme", "hooli", "lab", "umbrella"]);
  for (const { url } of edge.tenants) expect(first.output()).toContain(url);
  for (const { email } of edge.users) expect(first.output()).toContain(email);
  for (const secret of [edge.apiToken, edge.passphrase, edge.serviceRoleKeys.production]) {
    expect(first.output()).not.toContain(secret);
    expect(readFileSync(join(state, "edge.log"), "utf8")).not.toContain(secret);
  }

  const second = startProgram("--state", state, "--port", String(await freePort()));
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`process ${first.child.pid}`);

  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);
  expect(processesOf(state)).toEqual([]);
  expect(existsSync(join(state, "edge.json"))).toBe(false);
  expect(existsSync(join(state, "edge.lock"))).toBe(false);

  const third = startProgram("--state", state, "--port", String(port));
  await third.printed(READY);
  expect(third.output()).not.toContain("Deploying");
  await third.printed("Checked: everything is up to date.");
  expect(third.output()).not.toContain("NamespacedScript");
  expect(readEdgeFile(state).tenants).toHaveLength(4);
  third.child.kill("SIGKILL");
  await third.ended;
  await expect.poll(() => processesOf(state), { timeout: 30_000 }).toEqual([]);
  const left = readFileSync(join(state, "runtime/scratch"), "utf8");
  expect(existsSync(left)).toBe(true);

  const fourth = startProgram("--state", state, "--port", String(port));
  await fourth.printed(READY);
  fourth.child.kill("SIGTERM");
  expect(await fourth.ended).toBe(0);
  expect(processesOf(state)).toEqual([]);
  expect(existsSync(left)).toBe(false);
});

test("stops gracefully on Ctrl-C during a deployment, and continues at the next start", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  const options = ["--state", directory, "--port", String(await freePort())];
  const first = startProgram(...options);
  await first.printed("Deploying");
  const account = new Store(join(directory, "account"));
  await expect.poll(() => account.list("access_policy").length, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
  account.close();
  if (first.child.pid === undefined) throw new Error("no process");
  process.kill(-first.child.pid, "SIGINT");
  expect(await first.ended, first.output()).toBe(130);
  expect(first.output()).toContain("npm start continues it");
  expect(processesOf(directory)).toEqual([]);
  const locks = join(directory, "pulumi/.pulumi/locks/organization/tenantry/local");
  expect(existsSync(locks) ? readdirSync(locks) : []).toEqual([]);

  const second = startProgram(...options);
  await second.printed(READY);
  second.child.kill("SIGINT");
  expect(await second.ended).toBe(0);
  await removeDatabase(join(directory, "postgres"));
  rmSync(directory, { recursive: true });
});

test("runs the engine in its own process, passes no secrets as arguments, and ends it when the edge is killed", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  const run = startProgram("--state", directory, "--port", String(await freePort()));
  const engine = () => processesOf(directory).find(({ command }) => /\bpulumi (up|update) /.test(command));
  await expect.poll(engine, { timeout: 60_000, interval: 50 }).toBeDefined();
  const { pid: edge } = run.child;
  expect(engine()?.parent).not.toBe(edge);
  const secrets = Object.values(JSON.parse(readFileSync(join(directory, "secrets.json"), "utf8")));
  expect(secrets.length).toBeGreaterThan(0);
  const commands = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        return [readFileSync(`/proc/${entry}/cmdline`, "utf8")];
      } catch {
        // The process has ended since it was listed.
        return [];
      }
    });
  for (const secret of secrets) expect(commands.filter((command) => command.includes(String(secret)))).toEqual([]);
  run.child.kill("SIGKILL");
  await run.ended;
  await expect.poll(() => processesOf(directory), { timeout: 30_000 }).toEqual([]);
  await removeDatabase(join(directory, "postgres"));
  rmSync(directory, { recursive: true });
});

test("reports in one sentence that the port is in use", async () => {
  const holder = createServer();
  const taken = await new Promise<number>((resolve) => {
    holder.listen(0, "127.0.0.1", () => {
      const address = holder.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const other = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  const run = startProgram("--state", other, "--port", String(taken));
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain(`Port ${taken} is in use by another program`);
  expect(run.output()).not.toMatch(/\n\s+at /);
  expect(processesOf(other)).toEqual([]);
  rmSync(other, { recursive: true });
  await new Promise((resolve) => holder.close(resolve));
});

test("refuses an unknown option with the usage", async () => {
  const run = startProgram("--prot", "1");
  expect(await run.ended).toBe(1);
  expect(run.output()).toContain("Unknown option '--prot'");
  expect(run.output()).toContain("--port N");
});

test("explains how to install the engine when it is missing", () => {
  const bare = { PATH: "/nonexistent", HOME: state, PULUMI_HOME: join(state, "none") };
  const script = `import("${join(ROOT, "local/tools/engine.mjs")}").then((engine) => engine.ensureEngine()).catch((error) => console.log(error.message))`;
  const said = execFileSync(process.execPath, ["-e", script], { env: bare, encoding: "utf8" });
  expect(said).toContain("download: ");
  expect(said).toContain("build: no Go toolchain");
  expect(said).toContain("install Go");
});
