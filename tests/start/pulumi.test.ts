import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { expect, onTestFinished, test } from "vitest";
import type { FleetReport } from "#fleet/outcome/report.ts";
import { readEdgeFile } from "#local/state/edge-file.ts";
import { killPrograms, READY, startProgram } from "../testing/edge-program.ts";
import { ROOT } from "../testing/engine.ts";
import { call } from "../testing/http.ts";

test("runs the engine beside a running edge, also on the stacks of tenants/, and imports", async () => {
  const state = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  onTestFinished(async () => {
    killPrograms();
    await removeDatabase(join(state, "postgres"));
    rmSync(state, { recursive: true, force: true });
  });
  await startProgram("--state", state, "--port", String(await freePort())).printed(READY);
  const run = (...command: string[]) =>
    npmRun("local/pulumi.ts", "--state", state, "--non-interactive", "--color=never", ...command);

  const file = join(ROOT, "tenants/Pulumi.local-remote.yaml");
  onTestFinished(() => rmSync(file, { force: true }));
  await run("--cwd", "tenants", "stack", "init", "local-remote");
  await run("--cwd", "tenants", "config", "set", "tenantry:platformStack", "organization/tenantry/local");
  appendFileSync(file, "  tenantry:clients:\n    - { slug: remote, name: Remote, plan: basic }\n");
  expect(await run("--cwd", "tenants", "up", "--yes", "--skip-preview")).toContain("remote.tenantry.localhost");
  const health = await call(readEdgeFile(state), "remote.tenantry.localhost", "/api/health?passive=1");
  expect(health.status).toBe(200);

  // The fleet's commands continue with what the engine's own commands created.
  const report: FleetReport = JSON.parse(
    await npmRun("fleet/main.ts", "preview", "local-remote", "--state", state, "--json"),
  );
  expect(report.stacks).toMatchObject([
    { stack: "local-remote", basis: "engine", fault: null, tenants: [{ slug: "remote", fate: "unchanged" }] },
  ]);

  const bucket = `${readEdgeFile(state).accountId}/tenantry-backups-remote/default`;
  const type = "cloudflare:index/r2Bucket:R2Bucket";
  expect(await run("import", type, "spare", bucket, "--protect=false", "--yes", "-s", "local")).toContain("1 imported");
});

/** @returns the output. @throws Error with the output when it fails */
async function npmRun(program: string, ...args: string[]): Promise<string> {
  const command = [join(ROOT, "local/tools/run.mjs"), join(ROOT, program), ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}\n${errors}`);
  return output;
}
