import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import Cloudflare from "cloudflare";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tenantNames } from "#domain/names/deployed-names.ts";
import { scratchRepository } from "#fleet/testing/repository.ts";
import { ACCOUNT_ID, DOMAIN } from "#local/account.ts";
import type { Edge } from "#local/edge.ts";
import { pulumi, ROOT } from "../testing/engine.ts";
import { call } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { startApiProxy } from "./testing/api-proxy.ts";
import { createToken, findingsOf, namesOf, runDoctor, stackFile, writeHeartbeat } from "./testing/doctor-steps.ts";
import { killFleets, runFleet } from "./testing/fleet-run.ts";

const AI_GATEWAY_READ = "4dc8917b4b40457d88d3035d5dadb054";
const AI_GATEWAY_RUN = "644535f4ed854494a59cb289d634b257";

let edge: Edge;
let close: () => Promise<void>;
let api: Cloudflare;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  // The pool has two places for three tenants: the last has a gateway of its own.
  await (await stackOf(edge, platformSettings([]))).up();
});
afterAll(async () => {
  killFleets();
  await close();
});

const doctor = (args?: readonly string[], variables?: NodeJS.ProcessEnv) => runDoctor(edge, args, variables);
/** Makes all findings older. */
const age = (interval: string) => sql(edge, `update tenantry.findings set first_seen = now() - interval '${interval}'`);
const counts = () => edge.store.counts();

const GHOST = [
  `AI gateway ${tenantNames("ghost", "production").aiGateway}`,
  "API token AI gateway of ghost",
  "Access application Tenant ghost",
  `Access group Members of ghost.${DOMAIN}`,
  "Access policy Tenant ghost: members",
  "Access policy Tenant ghost: service tokens",
  "Worker tenant-ghost",
  "bucket tenantry-backups-ghost",
  "container application tenant-ghost",
].toSorted();

test("finds nothing in a healthy platform", async () => {
  const repository = scratchRepository();
  for (const slug of ["acme", "beta", "ghost"]) repository.write(`prod-${slug}`, stackFile(slug));
  const up = await runFleet(edge, ["up", "--tenants", repository.directory]);
  expect(up, up.output + up.progress).toMatchObject({ code: 0 });
  expect(await doctor(["--detailed-exitcode"])).toMatchObject({ code: 0, findings: [], kept: [], failedChecks: [] });
});

test("finds a stack without rows and rows without a stack, and removes neither", async () => {
  await sql(
    edge,
    "delete from tenantry.instances i using tenantry.clients c where c.id = i.client_id and c.slug = 'ghost'",
  );
  await sql(edge, "delete from tenantry.clients where slug = 'ghost'");
  const lost = await doctor(["--detailed-exitcode"]);
  expect(lost).toMatchObject({ code: 2, failedChecks: [] });
  expect(lost.findings).toMatchObject([
    { kind: "stack_without_row", name: expect.stringContaining("prod-ghost"), tenant: "ghost", removal: null },
  ]);

  // Without its state, its resources are orphaned.
  const removed = await pulumi(edge, join(ROOT, "tenants"), ["stack", "rm", "prod-ghost", "--force", "--yes"]);
  expect(removed, removed.output).toMatchObject({ code: 0 });
  const taken = await pulumi(edge, join(ROOT, "tenants"), ["stack", "rm", "prod-beta", "--force", "--yes"]);
  expect(taken, taken.output).toMatchObject({ code: 0 });
  await sql(edge, "update tenantry.instances set status = 'running'");
  const { code, findings } = await doctor();
  expect(code).toBe(0);
  expect(namesOf(findingsOf(findings, "ghost"))).toEqual(GHOST);
  expect(findingsOf(findings, "acme")).toEqual([]);
  const rows = findingsOf(findings, "beta").filter(({ kind }) => kind === "row_without_stack");
  expect(rows).toMatchObject([{ what: "instance", removal: null }]);
  // A tenant with a row stays, regardless of age.
  await age("90 days");
  const before = counts();
  const fixed = await doctor(["--fix", "--grace", "2400"]);
  expect(counts()).toEqual(before);
  for (const { what, removal } of findingsOf(fixed.findings, "beta"))
    if (what !== "instance")
      expect(removal).toMatchObject({ state: "claimed", why: "the database has the client beta" });
});

test("ignores resources of others", async () => {
  await api.zeroTrust.access.groups.create({
    account_id: ACCOUNT_ID,
    name: "Members of ghost.elsewhere.example",
    include: [{ everyone: {} }],
  });
  // Of development, whose stacks may be in another backend.
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: tenantNames("ghost", "development").backupBucket });
  // Truncated, so that the environment is not visible.
  const long = "g".repeat(59);
  await api.r2.buckets.create({ account_id: ACCOUNT_ID, name: tenantNames(long, "development").backupBucket });
  await createToken(api, "AI gateway of marketing", AI_GATEWAY_READ);
  await createToken(api, "AI gateway of Marketing", AI_GATEWAY_RUN);
  await api.post(`/accounts/${ACCOUNT_ID}/ai-gateway/gateways`, {
    body: {
      ...{ id: "tenantry-logs", authentication: false, cache_ttl: 0, cache_invalidate_on_update: false },
      ...{ collect_logs: true, rate_limiting_interval: 0, rate_limiting_limit: 0 },
    },
  });
  const { findings } = await doctor();
  expect(new Set(findings.map(({ tenant }) => tenant))).toEqual(new Set(["ghost", "beta"]));
  expect(namesOf(findingsOf(findings, "ghost"))).toEqual(GHOST);
});

test("reports production's buckets with objects as kept", async () => {
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
  expect(findingsOf(findings, "former")).toEqual([]);
  expect(kept).toMatchObject([{ name: "tenantry-backups-former", objects: 1, bytes: 10, more: false }]);
});

test("draws no conclusions from incomplete lists", async () => {
  const before = counts();
  await age("90 days");
  // Reports the missing permission, and keeps the findings' age.
  const { value } = await createToken(api, "reader", AI_GATEWAY_READ);
  const blind = await doctor(["--fix"], { CLOUDFLARE_API_TOKEN: value });
  expect(blind.code).toBe(1);
  expect(blind.failedChecks.join("\n")).toContain(
    "permission denied: CLOUDFLARE_API_TOKEN cannot list Access applications; grant it Access: Apps and Policies (Read)",
  );
  expect(blind.findings.map(({ removal }) => removal?.state)).not.toContain("removed");
  const seen = await sql(edge, "select from tenantry.findings where kind = 'access_application'");
  expect(seen).toHaveLength(2);

  // The second page of a list fails.
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
  expect(broken).toMatchObject({
    code: 1,
    failedChecks: [expect.stringContaining("failed to list all Access groups")],
  });
  expect(broken.findings.map(({ what }) => what)).not.toContain("Access group");
  expect(await sql(edge, "select from tenantry.findings where kind = 'access_group'")).toHaveLength(2);

  // Without the stack's secrets it cannot read the database, and removes nothing.
  const locked = await doctor(["--fix"], { VAULT_SERVER_TOKEN: undefined });
  expect(locked.code).toBe(1);
  expect(locked.failedChecks.join("\n")).toContain("Failed to read the database, because the output serviceUrl");

  // An unreadable stack may own any resource.
  const torn = join(edge.directory, "pulumi/.pulumi/stacks/tenantry/torn.json");
  writeFileSync(torn, '{"version":3,');
  const unread = await runFleet(edge, ["doctor", "--fix"]);
  expect(unread, unread.output).toMatchObject({ code: 1, output: "" });
  rmSync(torn);
  expect({ ...counts(), api_token: 0 }).toEqual({ ...before, api_token: 0 });
});

test("removes orphaned resources by id after the grace period", async () => {
  const before = counts();
  await sql(edge, "delete from tenantry.findings");
  const first = await doctor(["--fix"]);
  expect(findingsOf(first.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "early"));
  await age("23 hours");
  const early = await doctor(["--fix"]);
  expect(findingsOf(early.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "early"));
  expect(counts()).toEqual(before);

  await age("25 hours");
  const text = await runFleet(edge, ["doctor"]);
  expect(text.output).toMatch(/Access application +Tenant ghost +[0-9a-f-]{36} +ghost .*removes it/);
  expect(counts()).toEqual(before);

  // A job or a running gateway of the tenant blocks the removal.
  await sql(
    edge,
    "insert into tenantry.jobs (kind, slug, requested_by, environment) values ('provision', 'ghost', 'x', 'production')",
  );
  const atWork = await doctor(["--fix"]);
  expect(findingsOf(atWork.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(GHOST.map(() => "claimed"));
  await sql(edge, "delete from tenantry.jobs where slug = 'ghost'");
  writeHeartbeat(edge, "ghost");
  const alive = await doctor(["--fix"]);
  expect(findingsOf(alive.findings, "ghost")[0]?.removal?.why).toMatch(/^its gateway sent a heartbeat at /);
  const points = new DatabaseSync(join(edge.directory, "runtime/analytics.sqlite"));
  points.exec("delete from data_points where index1 = 'ghost'");
  points.close();

  // Another doctor is running.
  const other = new pg.Client({ connectionString: edge.databaseUrl });
  await other.connect();
  await other.query("select pg_advisory_lock(hashtextextended('tenantry-doctor:production', 0))");
  const second = await doctor(["--fix"]);
  expect(findingsOf(second.findings, "ghost").map(({ removal }) => removal?.why)).toEqual(
    GHOST.map(() => "another doctor --fix is running"),
  );
  await other.end();

  // The tenant is created between check and removal.
  const late = await startApiProxy(edge, async (method, path) => {
    if (method === "GET" && /applications\/[0-9a-f-]{36}$/.test(path))
      await sql(
        edge,
        "insert into tenantry.clients (slug, name, billing_plan) values ('ghost', 'Ghost', 'pro') on conflict do nothing",
      );
    return undefined;
  });
  const held = await doctor(["--fix"], { CLOUDFLARE_BASE_URL: late.url });
  const fates = findingsOf(held.findings, "ghost").map(({ what, removal }) => ({
    what,
    state: removal?.state,
    why: removal?.why,
  }));
  // The policy is not checked that far, because its application still exists.
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

  // A recreated bucket has another id, and the API refuses to delete one resource.
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
  const fateOf = Object.fromEntries(findingsOf(findings, "ghost").map(({ what, removal }) => [what, removal?.state]));
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
  expect(findingsOf(findings, "ghost").find(({ what }) => what === "API token")?.removal?.why).toContain(
    "Unauthorized",
  );
  const ids = findings
    .filter(({ removal }) => removal?.state === "removed")
    .map(({ identity }) => identity.split("@")[0] ?? "");
  for (const id of ids)
    expect(refusing.changes.filter((change) => change.endsWith(id) || change.includes(`${id}?`))).toHaveLength(1);

  await age("25 hours");
  const last = await doctor(["--fix"]);
  expect(findingsOf(last.findings, "ghost").map(({ removal }) => removal?.state)).toEqual(["removed", "removed"]);
  const { findings: left } = await doctor();
  expect([...findingsOf(left, "ghost"), ...findingsOf(left, "acme")]).toEqual([]);
  // Nothing of acme was changed.
  const repository = scratchRepository();
  repository.write("prod-acme", stackFile("acme"));
  const drift = await runFleet(edge, ["drift", "--detailed-exitcode", "--tenants", repository.directory]);
  expect(drift, drift.output).toMatchObject({ code: 0 });
});

test("reports dead runs, late jobs, and invalid tokens, with remedies", async () => {
  const locks = join(edge.directory, "pulumi/.pulumi/locks/organization/tenantry/prod-acme");
  mkdirSync(locks, { recursive: true });
  const lock = join(locks, "6b1f6d54-0c37-4f0e-9df5-0d7e8b3a4c21.json");
  const holder = { username: "runner", timestamp: "2026-11-01T00:00:00Z" };
  // This process exists, but is not an engine.
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

  // Processes of another machine cannot be checked.
  writeFileSync(lock, JSON.stringify({ ...holder, pid: 1, hostname: "elsewhere" }));
  expect((await doctor()).findings.map(({ kind }) => kind)).not.toContain("interrupted_run");
  rmSync(lock);
});
