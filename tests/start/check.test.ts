import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readEdgeFile } from "#local/state/edge-file.ts";
import { killPrograms, READY, type Run, startProgram } from "../testing/edge-program.ts";
import { call } from "../testing/http.ts";
import { sql } from "../testing/sql.ts";

let state: string;
let start: () => Run;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "tenantry-start-"));
  const port = String(await freePort());
  start = () => startProgram("--state", state, "--port", port);
});
afterEach(async () => {
  killPrograms();
  await removeDatabase(join(state, "postgres"));
  rmSync(state, { recursive: true, force: true });
});

async function stop(run: Run): Promise<void> {
  run.child.kill("SIGINT");
  expect(await run.ended, run.output()).toBe(0);
}

const answers = async () =>
  (await call(readEdgeFile(state), "acme.tenantry.localhost", "/api/health?passive=1")).status;

test("prints addresses before it checks, deploys found changes, and survives a failed check", async () => {
  const first = start();
  await first.printed(READY);
  expect(first.output()).toContain("Deploying the stack");
  // A change outside all files: another tenant has taken a place in the pool.
  await sql(
    readEdgeFile(state),
    `update tenantry.instances set ai_gateway_id = null, ai_gateway_pool_id = null where worker_name = 'tenant-umbrella';
     update tenantry.instances i set ai_gateway_id = g.gateway_id, ai_gateway_pool_id = g.id
       from tenantry.ai_gateways g where i.worker_name = 'tenant-lab' and g.gateway_id = 'pool-a'`,
  );
  await stop(first);

  const second = start();
  await second.printed(READY);
  expect(await answers()).toBe(200);
  await second.printed("Deployed the changes.");
  expect(second.output()).toMatch(/Ctrl-C stops everything.*checking.*The check found \d+ changes?; deploying/s);
  await stop(second);

  const project = join(state, "project");
  renameSync(project, `${project}.away`);
  writeFileSync(project, "in the way");
  const third = start();
  await third.printed("THE CHECK FAILED");
  expect(third.output()).toContain(READY);
  expect(await answers()).toBe(200);
  await stop(third);

  // A failed check invalidates the stored run.
  rmSync(project);
  renameSync(`${project}.away`, project);
  const fourth = start();
  await fourth.printed(READY);
  expect(fourth.output()).toContain("Deploying the stack");
  await stop(fourth);
});
