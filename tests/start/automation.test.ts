import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import Cloudflare from "cloudflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SETTINGS } from "#local/start/demo-platform.ts";
import { type EdgeFile, readEdgeFile } from "#local/state/edge-file.ts";
import { killPrograms, processesOf, READY, type Run, startProgram } from "../testing/edge-program.ts";
import { ROOT } from "../testing/engine.ts";
import { sql } from "../testing/sql.ts";

const TIMEOUT = { timeout: 60_000, interval: 100 };

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "tenantry-start-"));
});
afterEach(async () => {
  killPrograms();
  await removeDatabase(join(state, "postgres"));
  rmSync(state, { recursive: true, force: true });
});

const health = ({ automation }: EdgeFile) =>
  fetch(`${automation}/healthz`).then(
    ({ status }) => status,
    () => "unreachable",
  );

/** The service process of this run. */
const serviceOf = ({ child }: Run) =>
  processesOf("automation/main.ts").find(
    ({ parent, command }) => parent === child.pid && command.includes("automation/main.ts"),
  );

async function mailTo(edge: EdgeFile, email: string): Promise<string[]> {
  const response = await fetch(edge.mail.api, { headers: { authorization: `Bearer ${edge.apiToken}` } });
  const { messages } = (await response.json()) as { messages: { to: string[]; subject: string }[] };
  return messages.filter(({ to }) => to.includes(email)).map(({ subject }) => subject);
}

async function members({ apiToken, api, accountId: account_id }: EdgeFile, host: string): Promise<string> {
  const cloudflare = new Cloudflare({ apiToken, baseURL: api });
  const { result } = await cloudflare.zeroTrust.access.groups.list({ account_id, name: `Members of ${host}` });
  return JSON.stringify(result[0]?.include);
}

test("the demo's service sends mail, updates members, restarts when it dies, and ends with the edge", async () => {
  const run = startProgram("--state", state, "--port", String(await freePort()));
  await run.printed(READY);
  const edge = readEdgeFile(state);
  expect(run.output()).toContain(`${edge.automation}/healthz`);
  expect(run.output()).toContain(edge.mail.api);
  await expect.poll(() => health(edge), TIMEOUT).toBe(200);

  await sql(
    edge,
    `with invited as (
       insert into tenantry.client_users (client_id, email, name, role) select id, 'dora@acme.example', 'Dora', 'BASE_USER'
       from tenantry.clients where slug = 'acme' returning id, client_id),
     assigned as (
       insert into tenantry.client_user_instances (client_user_id, instance_id)
       select u.id, i.id from invited u join tenantry.instances i on i.client_id = u.client_id)
     insert into tenantry.mails (kind, recipient, client_id, client_user_id)
     select 'invitation', 'dora@acme.example', client_id, id from invited`,
  );
  await expect.poll(() => mailTo(edge, "dora@acme.example"), TIMEOUT).toEqual(["Invitation to Acme Corporation"]);

  const first = serviceOf(run);
  if (first === undefined) throw new Error("no process of the service");
  process.kill(first.pid, "SIGKILL");
  await expect.poll(() => serviceOf(run)?.pid ?? first.pid, TIMEOUT).not.toBe(first.pid);
  await sql(
    edge,
    "update tenantry.client_users set status = 'validated', validated_at = now() where email = 'dora@acme.example'",
  );
  await expect.poll(() => members(edge, "acme.tenantry.localhost"), TIMEOUT).toContain("dora@acme.example");
  // The dispatch Worker was notified.
  await expect
    .poll(
      () =>
        sql(edge, "select from graphile_worker._private_jobs where key like 'members:%'").then((rows) =>
          JSON.stringify(rows),
        ),
      TIMEOUT,
    )
    .toBe("[]");
  await expect.poll(() => health(edge), TIMEOUT).toBe(200);

  // One command each, including the service.
  const tenants = join(state, "files", "tenants");
  mkdirSync(tenants, { recursive: true });
  cpSync(SETTINGS, join(state, "files", "Pulumi.local.yaml"));
  const rotate = (secret: string, input = "") => {
    const args = ["rotate", secret, "--stack", "local", "--state", state, "--tenants", tenants, "--pause", "0"];
    const program = ["--disable-warning=ExperimentalWarning", "fleet/main.ts", ...args];
    return spawnSync(process.execPath, program, { cwd: ROOT, input, encoding: "utf8" });
  };
  const logins = () =>
    sql(edge, "select distinct usename as name from pg_stat_activity where usename like 'tenantry_service%'");
  expect(await logins()).toEqual([{ name: "tenantry_service" }]);
  const rotated = rotate("database-logins");
  expect(rotated.status, rotated.stderr).toBe(0);
  await expect.poll(logins, TIMEOUT).toEqual([{ name: "tenantry_service_b" }]);
  await expect.poll(() => health(edge), TIMEOUT).toBe(200);
  const passphrase = rotate("passphrase", "another-passphrase\n");
  expect(passphrase.status, passphrase.stderr).toBe(0);
  expect(passphrase.stderr).toContain("The local edge uses the new passphrase.");
  expect(readEdgeFile(state).passphrase).toBe("another-passphrase");
  await expect.poll(() => health(edge), TIMEOUT).toBe(200);

  run.child.kill("SIGINT");
  expect(await run.ended, run.output()).toBe(0);
  expect(await health(edge)).toBe("unreachable");
  expect(serviceOf(run)).toBeUndefined();
  const log = readFileSync(join(state, "automation.log"), "utf8");
  expect(log).toContain('"event":"members_changed"');
  expect(log).not.toMatch(/dora@|task_failed/);
  expect(log).not.toContain(edge.apiToken);
  expect(readFileSync(join(state, "deployment.json"), "utf8")).not.toContain("postgres://");

  // A known platform is checked first, and then has the service; killing the edge ends it too.
  const second = startProgram("--state", state, "--port", String(await freePort()));
  await second.printed(READY);
  const again = readEdgeFile(state);
  await expect.poll(() => health(again), TIMEOUT).toBe(200);
  const service = serviceOf(second);
  second.child.kill("SIGKILL");
  await second.ended;
  await expect.poll(() => health(again), TIMEOUT).toBe("unreachable");
  await expect
    .poll(() => processesOf("automation/main.ts").some(({ pid }) => pid === service?.pid), TIMEOUT)
    .toBe(false);
});
