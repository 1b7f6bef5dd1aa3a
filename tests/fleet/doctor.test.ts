import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import Cloudflare from "cloudflare";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { tenantNames } from "#domain/names/deployed-names.ts";
import type { DoctorReport, ReportedFinding } from "#fleet/doctor/report.ts";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { ACCOUNT_ID, DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { pulumi, ROOT } from "../testing/engine.ts";
import { call } from "../testing/http.ts";
import { clientSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { startApiProxy } from "./testing/api-proxy.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

const AI_GATEWAY_READ = "a1c6a2b5f7d84e7c9d0b3f4e5a6b7c8d";
const AI_GATEWAY_RUN = "644535f4ed854494a59cb289d634b257";

let edge: Edge;
let close: () => Promise<void>;
let api: Cloudflare;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  // A pool of two for three: the last has a gateway of its own.
  await (await stackOf(edge, platformSettings([]))).up();
});
afterAll(async () => {
  killFleets();
  await close();
});

const declaring = (slug: string) =>
  `config: ${JSON.stringify({
    "tenantry:platformStack": "organization/tenantry/whole",
    "tenantry:clients": clientSettings([{ slug }]),
  })}\n`;

async function doctor(args: readonly string[] = [], variables: NodeJS.ProcessEnv = {}) {
  const { code, output, progress } = await runFleet(edge, ["doctor", "--json", ...args], variables);
  if (output === "") throw new Error(`no report: ${progress}`);
  const report = JSON.parse(output) as DoctorReport;
  const [platform] = report.platforms;
  if (platform === undefined) throw new Error("no platform");
  return { code, progress, ...platform };
}

const of = (findings: readonly ReportedFinding[], tenant: string) =>
  findings.filter((finding) => finding.tenant === tenant);
const named = (findings: readonly ReportedFinding[]) => findings.map(({ what, name }) => `${what} ${name}`).toSorted();
/** As if all that was found had been seen for so long. */
const age = (interval: string) => sql(edge, `update tenantry.findings set first_seen = now() - interval '${interval}'`);
const counts = () => edge.store.counts();

const GHOST = [
  `AI gateway ${tenantNames("ghost", "production").aiGateway}`,
  "API token AI gateway of ghost",
  "Access application Tenant ghost",
  `Access group Members of ghost.${DOMAIN}`,
  "Access policy Tenant ghost: members",
  "Worker tenant-ghost",
  "bucket tenantry-backups-ghost",
  "container application tenant-ghost",
].toSorted();

const made = z.object({ result: z.object({ id: z.string(), value: z.string() }) });

/** A token of the account with one right. */
async function token(name: string, permission: string, more: object = {}): Promise<{ id: string; value: string }> {
  const policies = [
    {
      effect: "allow",
      permission_groups: [{ id: permission }],
      resources: { [`com.cloudflare.api.account.${ACCOUNT_ID}`]: "*" },
    },
  ];
  const body = { name, policies, ...more };
  return made.parse(await api.post(`/accounts/${ACCOUNT_ID}/tokens`, { body })).result;
}

test("finds nothing in a whole platform", async () => {
  const repository = scratchRepository();
  for (const slug of ["acme", "beta", "ghost"]) repository.write(`prod-${slug}`, declaring(slug));
  const up = await runFleet(edge, ["up", "--tenants", repository.directory]);
  expect(up, up.output + up.progress).toMatchObject({ code: 0 });
  expect(await doctor(["--detailed-exitcode"])).toMatchObject({ code: 0, findings: [], kept: [], unlooked: [] });
});

test("finds a stack without rows and rows without a stack, and removes neither", async () => {
  await sql(
    edge,
    "delete from tenantry.instances i using tenantry.clients c where c.id = i.client_id and c.slug = 'ghost'",
  );
  await sql(edge, "delete from tenantry.clients where slug = 'ghost'");
  const lost = await doctor(["--detailed-exitcode"]);
  expect(lost).toMatchObject({ code: 2, unlooked: [] });
  expect(lost.findings).toMatchObject([
    { kind: "stack_without_row", name: expect.stringContaining("prod-ghost"), tenant: "ghost", removal: null },
  ]);

  // Its state is lost too: all that was made of it is nobody's now.
  const removed = await pulumi(edge, join(ROOT, "tenants"), ["stack", "rm", "prod-ghost", "--force", "--yes"]);
  expect(removed, removed.output).toMatchObject({ code: 0 });
  const taken = await pulumi(edge, join(ROOT, "tenants"), ["stack", "rm", "prod-beta", "--force", "--yes"]);
  expect(taken, taken.output).toMatchObject({ code: 0 });
  await sql(edge, "update tenantry.instances set status = 'running'");
  const { code, findings } = await doctor();
  expect(code).toBe(0);
  expect(named(of(findings, "ghost"))).toEqual(GHOST);
  expect(of(findings, "acme")).toEqual([]);
  const rows = of(findings, "beta").filter(({ kind }) => kind === "row_without_stack");
  expect(rows).toMatchObject([{ what: "instance", removal: null }]);
  // Whose row is there stays, however long nobody has it.
  await age("90 days");
  const before = counts();
  const fixed = await doctor(["--fix", "--grace", "2400"]);
  expect(counts()).toEqual(before);
  for (const { what, removal } of of(fixed.findings, "beta"))
    if (what !== "instance")
      expect(removal).toMatchObject({ state: "claimed", why: "the database has the client beta" });
});

test("leaves alone what is somebody else's", async () => {
  await api.zeroTrust.access.groups.create({
    account_id: ACCOUNT_ID,
    name: "Members of ghost.elsewhere.example",
    include: [{ everyone: {} }],
  });
  // Of development, whose stacks may lie in another backend.
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: tenantNames("ghost", "development").backupBucket });
  // Cut, so that the environment does not show.
  const long = "g".repeat(59);
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: tenantNames(long, "development").backupBucket });
  await token("AI gateway of marketing", AI_GATEWAY_READ);
  await token("AI gateway of Marketing", AI_GATEWAY_RUN);
  await api.post(`/accounts/${ACCOUNT_ID}/ai-gateway/gateways`, {
    body: {
      ...{ id: "tenantry-logs", authentication: false, cache_ttl: 0, cache_invalidate_on_update: false },
      ...{ collect_logs: true, rate_limiting_interval: 0, rate_limiting_limit: 0 },
    },
  });
  const { findings } = await doctor();
  expect(new Set(findings.map(({ tenant }) => tenant))).toEqual(new Set(["ghost", "beta"]));
  expect(named(of(findings, "ghost"))).toEqual(GHOST);
});

test("tells of production's buckets that hold something as kept", async () => {
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: "tenantry-backups-former" });
  putScript(edge.store, {
    name: "filler",
    source:
      "export default { fetch: async (_, env) => { await env.BUCKET.put('backups/1/data', '0123456789'); return new Response() } }",
    bindings: [{ type: "r2_bucket", name: "BUCKET", bucket_name: "tenantry-backups-former" }],
  });
  putRoute(edge.store, `filler.${DOMAIN}/*`, "filler");
  expect((await call(edge, `filler.${DOMAIN}`, "/")).status).toBe(200);
  const { findings, kept } = await doctor();
  expect(of(findings, "former")).toEqual([]);
  expect(kept).toMatchObject([{ name: "tenantry-backups-former", objects: 1, bytes: 10, more: false }]);
});

test("concludes nothing where it cannot look to the end", async () => {
  const before = counts();
  await age("90 days");
  // What the token may not list is named with the right that is missing, and its time goes on.
  const { value } = await token("reader", AI_GATEWAY_READ);
  const blind = await doctor(["--fix"], { CLOUDFLARE_API_TOKEN: value });
  expect(blind.code).toBe(1);
  expect(blind.unlooked.join("\n")).toContain(
    "permission denied: CLOUDFLARE_API_TOKEN cannot list Access applications. Grant it Access: Apps and Policies (Read)",
  );
  expect(blind.findings.map(({ removal }) => removal?.state)).not.toContain("removed");
  const seen = await sql(edge, "select from tenantry.findings where kind = 'access_application'");
  expect(seen).toHaveLength(2);

  // A list that breaks off at its second page.
  const proxy = await startApiProxy(edge, (_method, path) =>
    path.includes("/access/groups") && path.includes("page=2")
      ? {
          status: 500,
          body: { success: false, errors: [{ code: 10001, message: "broke" }], messages: [], result: null },
        }
      : undefined,
  );
  const broken = await doctor([], { CLOUDFLARE_BASE_URL: proxy.url });
  await proxy.close();
  expect(broken).toMatchObject({ code: 1, unlooked: [expect.stringContaining("failed to list all Access groups")] });
  expect(broken.findings.map(({ what }) => what)).not.toContain("Access group");
  expect(await sql(edge, "select from tenantry.findings where kind = 'access_group'")).toHaveLength(2);

  // Without the stack's secrets no database, and so no removal.
  const locked = await doctor(["--fix"], { VAULT_SERVER_TOKEN: undefined });
  expect(locked.code).toBe(1);
  expect(locked.unlooked.join("\n")).toContain("failed to read the database");

  // A stack that cannot be read may have any of it.
  const torn = join(edge.directory, "pulumi/.pulumi/stacks/tenantry/torn.json");
  writeFileSync(torn, '{"version":3,');
  const unread = await runFleet(edge, ["doctor", "--fix"]);
  expect(unread, unread.output).toMatchObject({ code: 1, output: "" });
  rmSync(torn);
  expect({ ...counts(), api_token: 0 }).toEqual({ ...before, api_token: 0 });
});

test("removes by id, after its time, what nobody has to do with", async () => {
  const before = counts();
  await sql(edge, "delete from tenantry.findings");
  const first = await doctor(["--fix"]);
  expect(of(first.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "early"));
  await age("23 hours");
  const early = await doctor(["--fix"]);
  expect(of(early.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "early"));
  expect(counts()).toEqual(before);

  await age("25 hours");
  const text = await runFleet(edge, ["doctor"]);
  expect(text.output).toMatch(/Access application +Tenant ghost +[0-9a-f-]{36} +ghost .*removes it/);
  expect(counts()).toEqual(before);

  // A job of the tenant's, and a gateway that runs, keep all of it.
  await sql(
    edge,
    "insert into tenantry.jobs (kind, slug, requested_by, environment) values ('provision', 'ghost', 'x', 'production')",
  );
  const atWork = await doctor(["--fix"]);
  expect(of(atWork.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "claimed"));
  await sql(edge, "delete from tenantry.jobs where slug = 'ghost'");
  heartbeat("ghost");
  const alive = await doctor(["--fix"]);
  expect(of(alive.findings, "ghost")[0]?.removal?.why).toMatch(/^its gateway sent a heartbeat at /);
  const points = new DatabaseSync(join(edge.directory, "runtime/analytics.sqlite"));
  points.exec("delete from data_points where index1 = 'ghost'");
  points.close();

  // Another doctor is at it.
  const other = new pg.Client({ connectionString: edge.databaseUrl });
  await other.connect();
  await other.query("select pg_advisory_lock(hashtextextended('tenantry-doctor:production', 0))");
  const second = await doctor(["--fix"]);
  expect(of(second.findings, "ghost").map(({ removal }) => removal?.why)).toEqual(
    GHOST.map(() => "another doctor --fix is running"),
  );
  await other.end();

  // Somebody begins with the tenant between the look and the removal.
  const late = await startApiProxy(edge, async (method, path) => {
    if (method === "GET" && /applications\/[0-9a-f-]{36}$/.test(path))
      await sql(
        edge,
        "insert into tenantry.clients (slug, name, billing_plan) values ('ghost', 'Ghost', 'pro') on conflict do nothing",
      );
    return undefined;
  });
  const held = await doctor(["--fix"], { CLOUDFLARE_BASE_URL: late.url });
  const fates = of(held.findings, "ghost").map(({ what, removal }) => ({
    what,
    state: removal?.state,
    why: removal?.why,
  }));
  // The policy is not looked at that far: its application is there still.
  expect(fates.filter(({ what }) => what !== "Access policy")).toEqual(
    fates
      .filter(({ what }) => what !== "Access policy")
      .map(({ what }) => ({ what, state: "held", why: "the database has the client ghost" })),
  );
  expect(fates).toContainEqual({ what: "Access policy", state: "held", why: "Access applications use it: 1" });
  expect(late.changes).toEqual([]);
  await late.close();
  await sql(edge, "delete from tenantry.clients where slug = 'ghost'");
  expect(counts()).toEqual(before);

  // A bucket that was made anew is another, and one of its things is refused by the API.
  await api.r2.buckets.delete("tenantry-backups-ghost", { account_id: ACCOUNT_ID });
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: "tenantry-backups-ghost" });
  const refusing = await startApiProxy(edge, (method, path) =>
    method === "DELETE" && path.includes("/tokens/")
      ? {
          status: 403,
          body: { success: false, errors: [{ code: 9109, message: "Unauthorized" }], messages: [], result: null },
        }
      : undefined,
  );
  const { findings, code } = await doctor(["--fix"], { CLOUDFLARE_BASE_URL: refusing.url });
  await refusing.close();
  expect(code).toBe(1);
  const fateOf = Object.fromEntries(of(findings, "ghost").map(({ what, removal }) => [what, removal?.state]));
  expect(fateOf).toEqual({
    "AI gateway": "removed",
    "API token": "failed",
    "Access application": "removed",
    "Access group": "removed",
    "Access policy": "removed",
    "container application": "removed",
    Worker: "removed",
    bucket: "early",
  });
  expect(of(findings, "ghost").find(({ what }) => what === "API token")?.removal?.why).toContain("Unauthorized");
  const ids = findings
    .filter(({ removal }) => removal?.state === "removed")
    .map(({ identity }) => identity.split("@")[0] ?? "");
  for (const id of ids)
    expect(refusing.changes.filter((change) => change.endsWith(id) || change.includes(`${id}?`))).toHaveLength(1);

  await age("25 hours");
  const last = await doctor(["--fix"]);
  expect(of(last.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(["removed", "removed"]);
  const { findings: left } = await doctor();
  expect([...of(left, "ghost"), ...of(left, "acme")]).toEqual([]);
  // Nothing of its own was touched.
  const repository = scratchRepository();
  repository.write("prod-acme", declaring("acme"));
  const drift = await runFleet(edge, ["drift", "--detailed-exitcode", "--tenants", repository.directory]);
  expect(drift, drift.output).toMatchObject({ code: 0 });
});

test("tells of dead runs, late jobs, and tokens that do not work, with what to do", async () => {
  const locks = join(edge.directory, "pulumi/.pulumi/locks/organization/tenantry/prod-acme");
  mkdirSync(locks, { recursive: true });
  const lock = join(locks, "6b1f6d54-0c37-4f0e-9df5-0d7e8b3a4c21.json");
  const holder = { username: "runner", timestamp: "2026-11-01T00:00:00Z" };
  // A process of that number that is no engine.
  writeFileSync(lock, JSON.stringify({ ...holder, pid: 1, hostname: hostname() }));
  await sql(
    edge,
    "insert into tenantry.jobs (kind, slug, requested_by, environment, deadline) values ('freeze', 'acme', 'x', 'production', now() - interval '1 hour')",
  );
  const own = edge.store.list("api_token").find(({ name }) => name === "AI gateway of acme");
  if (own === undefined) throw new Error("acme has no token");
  await api.put(`/accounts/${ACCOUNT_ID}/tokens/${own.id}`, {
    body: { name: own.name, policies: own.policies, status: "disabled" },
  });
  const { findings } = await doctor();
  expect(findings.filter(({ tenant }) => tenant !== "beta")).toMatchObject([
    {
      kind: "interrupted_run",
      why: "the run that locked it is dead",
      remedy: expect.stringContaining("npm run fleet -- recover prod-acme"),
    },
    { kind: "token", name: "AI gateway of acme", why: expect.stringContaining("it is disabled"), removal: null },
    { kind: "late_job", name: "freeze of acme", removal: null },
  ]);
  const markdown = await runFleet(edge, ["doctor", "--markdown"]);
  expect(markdown.output).toContain("| stack | prod-acme |");

  // Of another machine nobody here knows whether it lives.
  writeFileSync(lock, JSON.stringify({ ...holder, pid: 1, hostname: "elsewhere" }));
  expect((await doctor()).findings.map(({ kind }) => kind)).not.toContain("interrupted_run");
  rmSync(lock);
});
/** What a tenant's Worker writes each minute while its gateway runs. */
function heartbeat(slug: string): void {
  const bytes = (text: string) => [...Buffer.from(text)];
  const blobs = { blob1: bytes("container_heartbeat"), blob2: bytes("running"), blob3: bytes("production") };
  const event = { timestamp: `${Date.now()}000000`, index1: bytes(slug), ...blobs, double1: 1 };
  edge.runtime.analytics.append("tenantry", JSON.stringify(event));
}
