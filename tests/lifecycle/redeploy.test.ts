import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { workspaceOf } from "@tenantry/edge/testing/runtime";
import Cloudflare from "cloudflare";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { RELEASE } from "#domain/release.ts";
import type { Edge } from "#local/edge.ts";
import { ADOPT_BUCKETS_VARIABLE } from "#stack/settings/run-flags.ts";
import { STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { rolledOut } from "../testing/container-rollout.ts";
import { changedResources, pulumi, ROOT } from "../testing/engine.ts";
import { call, loggedIn } from "../testing/http.ts";
import { readNotes, startTenant, writeNote } from "../testing/notes.ts";
import { backupsOf, clientSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { startTraffic } from "../testing/traffic.ts";

const DISPATCH = "_dispatch.tenantry.localhost";

let edge: Edge;
let close: () => Promise<void>;
let token: string;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  const stack = await stackOf(edge, platformSettings([{ slug: "home" }]));
  await stack.up();
  token = (await stack.outputs()).invalidateToken?.value;
});
afterAll(() => close());

const hostOf = (slug: string) => `${slug}.tenantry.localhost`;

/** A stack of one tenant on the other's platform. */
function tenantStack(slug: string, plan: string, more: Record<string, unknown> = {}): Promise<Stack> {
  const settings = {
    "tenantry:environment": "production",
    "tenantry:platformStack": "whole",
    "tenantry:clients": clientSettings([{ slug, plan }]),
    ...more,
  };
  return stackOf(edge, settings, `prod-${slug}`);
}

const asRoot = (slug: string) => loggedIn(edge, "root@tenantry.example", hostOf(slug));

/** Clears the dispatch Worker's cache of the tenant. */
async function forgetEntry(slug: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  expect(await call(edge, DISPATCH, `/_invalidate/${slug}`, { headers })).toMatchObject({ status: 200 });
}

const write = (slug: string, text: string) => writeNote(edge, slug, text);
const notes = (slug: string) => readNotes(edge, slug);

/** A tenant with a running gateway, a regular backup, and later data. */
async function lived(slug: string): Promise<void> {
  await startTenant(edge, slug);
  await expect.poll(() => backupsOf(edge, slug), { timeout: 60_000 }).toHaveLength(1);
  await write(slug, "written just now");
}

const sizeOf = (slug: string) =>
  edge.store.list("container_application").find(({ name }) => name === `tenant-${slug}`)?.configuration.instance_type;

const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "",
    (error: unknown) => String(error),
  );

/** Removes the dispatch Worker's route while `work` runs. */
async function withoutDispatch(work: () => Promise<void>): Promise<void> {
  const route = edge.store.list("route").find(({ script }) => script === "tenantry-dispatch");
  if (route === undefined) throw new Error("no route");
  const api = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl, maxRetries: 0 });
  const zone = { zone_id: edge.zoneId };
  await api.workers.routes.delete(route.id, zone);
  try {
    await work();
  } finally {
    await api.workers.routes.create({ ...zone, pattern: route.pattern, script: "tenantry-dispatch" });
  }
}

test("keeps data that a tenant received seconds before its container changes size", async () => {
  await lived("home");
  const stack = await stackOf(edge, platformSettings([{ slug: "home", plan: "enterprise" }]));
  expect((await changedResources(stack, "up")).toSorted()).toEqual([
    "update ContainerApplication home",
    "update DatabaseRecord client-home",
    "update NamespacedScript home",
  ]);
  await write("home", "written during the rollout");
  expect((await rolledOut(edge, "home")).instance_type).toBe("standard-3");
  expect((await notes("home")).toSorted()).toEqual(["written during the rollout", "written just now"]);
  expect(await changedResources(stack, "up")).toEqual([]);
});

test("backs up a frozen tenant of a stack of its own, which has only the platform's outputs", async () => {
  await (await tenantStack("cold", "basic")).up();
  await lived("cold");
  const status = async (text: string) => {
    await sql(edge, "update tenantry.instances set status = $1 where worker_name = 'tenant-cold'", [text]);
    await forgetEntry("cold");
  };
  await status("frozen");
  expect((await call(edge, hostOf("cold"), "/api/health")).status).toBe(403);
  await (await tenantStack("cold", "pro")).up();
  // Nothing checks a frozen tenant, so its container would wait for Cloudflare to kill it.
  await status("running");
  expect(await notes("cold")).toEqual(["written just now"]);
  expect((await rolledOut(edge, "cold")).instance_type).toBe("standard-2");
  expect(await notes("cold")).toEqual(["written just now"]);
});

test("does not replace the container while its state cannot be backed up, unless that is waived", async () => {
  await (await tenantStack("stuck", "basic")).up();
  await lived("stuck");
  // Without its marker, a state may differ from the one that was backed up.
  const marker = join(
    workspaceOf(join(edge.directory, "containers"), { namespace: "tenants", name: "tenant-stuck" }),
    "state",
    STATE_MARKER_FILE,
  );
  rmSync(marker);
  const larger = await tenantStack("stuck", "pro");
  const failure = await failureOf(larger.up());
  expect(failure).toMatch(
    /The tenant's state could not be backed up, so its container was not replaced: The newest backup is of another state/,
  );
  expect(failure).toContain("or set tenantry:backupBeforeRedeploy to false to continue without a backup.");
  expect(failure).not.toContain(token);
  expect(sizeOf("stuck")).toBe("standard-1");
  expect(await notes("stuck")).toEqual(["written just now"]);

  await (await tenantStack("stuck", "pro", { "tenantry:backupBeforeRedeploy": false })).up();
  // The container waits for a backup until Cloudflare kills it.
  for (const { name } of edge.containers.instances({ namespace: "tenants", name: "tenant-stuck" }, "Sandbox"))
    await edge.containers.stopContainer(name, "remove");
  expect((await rolledOut(edge, "stuck")).instance_type).toBe("standard-2");
  expect(await notes("stuck")).toEqual([]);
});

test("creates a final backup of a deleted tenant, which the next with its slug restores if its operator chooses so", async () => {
  const stack = await tenantStack("phoenix", "basic");
  await stack.up();
  await lived("phoenix");
  // A refresh knows no more of the choice than the state.
  await stack.refresh();
  await stack.destroy();
  expect(sizeOf("phoenix")).toBeUndefined();
  expect(await backupsOf(edge, "phoenix")).toHaveLength(2);
  expect(readdirSync(join(edge.directory, "containers/tenants"))).not.toContain("tenant-phoenix");
  // The next tenant may be another customer: the slug alone gives access to nothing, and nothing is created.
  const before = edge.store.counts();
  const kept =
    /phoenix: the bucket tenantry-backups-phoenix of an earlier deployment exists.*TENANTRY_ADOPT_BUCKETS=phoenix/;
  await expect(stack.preview()).rejects.toThrow(kept);
  await expect(stack.up()).rejects.toThrow(kept);
  expect(edge.store.counts()).toEqual(before);

  vi.stubEnv(ADOPT_BUCKETS_VARIABLE, "phoenix");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await changedResources(stack, "preview")).toContain("import R2Bucket phoenix");
  await stack.up();
  await forgetEntry("phoenix");
  expect(await notes("phoenix")).toEqual(["written just now"]);
  // In another run, the option changes nothing.
  expect(await changedResources(stack, "up")).toEqual([]);
  vi.unstubAllEnvs();
  expect(await changedResources(stack, "up")).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);
});

test("adopts no missing bucket, and none for an undeclared client, and loses none of the stack", async () => {
  const stack = await tenantStack("settled", "basic");
  vi.stubEnv(ADOPT_BUCKETS_VARIABLE, "settled,stranger");
  onTestFinished(() => void vi.unstubAllEnvs());
  const refusal = await failureOf(stack.up());
  expect(refusal).toContain("stranger: this stack declares no such client");
  expect(refusal).toContain("settled: there is no bucket tenantry-backups-settled to adopt");
  vi.unstubAllEnvs();
  await stack.up();
  await lived("settled");
  vi.stubEnv(ADOPT_BUCKETS_VARIABLE, "settled");
  const backups = await backupsOf(edge, "settled");
  await stack.up();
  vi.unstubAllEnvs();
  expect(await backupsOf(edge, "settled")).toEqual(backups);
  expect(await changedResources(stack, "up")).toEqual([]);
  expect(await changedResources(stack, "refresh")).toEqual([]);
});

test("fails an update without the dispatch Worker, and still deletes a tenant, with a warning", async () => {
  await (await tenantStack("lost", "basic")).up();
  await lived("lost");
  await withoutDispatch(async () => {
    const larger = await tenantStack("lost", "pro");
    const failure = await failureOf(larger.up());
    expect(failure).toContain("its container was not replaced: The dispatch Worker responded with HTTP 404.");
    expect(sizeOf("lost")).toBe("standard-1");
    const words: string[] = [];
    await larger.destroy({ onOutput: (text) => words.push(text) });
    expect(words.join("")).toContain(
      "tenant-lost is removed without a last backup of its state: The dispatch Worker responded with HTTP 404.",
    );
    expect(words.join("")).not.toContain(token);
  });
  expect(sizeOf("lost")).toBeUndefined();
});

test("accepts another token without changes, and backs up with it", async () => {
  const sleeper = await tenantStack("sleeper", "basic");
  await sleeper.up();
  const platform = await stackOf(edge, platformSettings([{ slug: "home", plan: "enterprise" }]));
  const urn =
    "urn:pulumi:whole::tenantry::tenantry:components:Platform$tenantry:components:DispatchWorker$random:index/randomPassword:RandomPassword::invalidate-token";
  const replaced = await changedResources(platform, "up", { replace: [urn] });
  expect(replaced.some((change) => change.includes("ContainerApplication"))).toBe(false);
  const renewed = (await platform.outputs()).invalidateToken?.value;
  expect(renewed).not.toBe(token);
  token = renewed;
  expect(await changedResources(sleeper, "up")).toEqual([]);
  await lived("sleeper");
  await (await tenantStack("sleeper", "pro")).up();
  expect(await notes("sleeper")).toEqual(["written just now"]);
});

test("rolls back to a release with the same schema without a failed request", async () => {
  await startTenant(edge, "home");
  const later = checkoutOf("9.9.9");
  const headers = { ...(await asRoot("home")), accept: "text/html" };
  const dashboard = await loggedIn(edge, "root@tenantry.example", "dash.tenantry.localhost");
  const session = () => call(edge, "dash.tenantry.localhost", "/session", { headers: dashboard });
  const stopTraffic = startTraffic({
    page: { ask: () => call(edge, hostOf("home"), "/", { headers }), status: 200 },
    dashboard: { ask: session, status: 200 },
  });
  const file = join(edge.directory, "project/Pulumi.whole.yaml");
  for (const [checkout, version] of [
    [later, "9.9.9"],
    [ROOT, RELEASE],
  ] as const) {
    const up = await pulumi(edge, checkout, ["up", "--yes", "--skip-preview", "-s", "whole", "--config-file", file]);
    expect(up, up.output).toMatchObject({ code: 0 });
    expect(JSON.parse((await session()).body)).toMatchObject({ version });
    expect(await sql(edge, "select version from tenantry.platform_versions")).toEqual([{ version }]);
  }
  expect(await stopTraffic()).toMatchObject({ failures: [] });
});

/** A copy of this checkout as another release with the same schema. Removed with the test. */
function checkoutOf(release: string): string {
  const copy = mkdtempSync(join(tmpdir(), "tenantry-release-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  // The providers of this process read built Workers in its own directory.
  const shared = ["node_modules", "dist"];
  const left = new Set([...shared, ".git", "tests", "docs", "bench"]);
  for (const name of readdirSync(ROOT).filter((one) => !left.has(one)))
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  for (const name of shared) symlinkSync(join(ROOT, name), join(copy, name));
  const path = join(copy, "domain/release.ts");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(`RELEASE = "${RELEASE}"`, `RELEASE = "${release}"`));
  return copy;
}
