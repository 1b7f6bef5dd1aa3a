/** Upgrades platforms that older versions deployed; see `testing/fixture.ts`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDatabase } from "@tenantry/postgres";
import { freePort } from "@tenantry/std/free-port";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { runFleet } from "../fleet/testing/fleet-run.ts";
import { killPrograms, processesOf, READY, type Run, startProgram } from "../testing/edge-program.ts";
import { changedResources } from "../testing/engine.ts";
import { openPlatform } from "../testing/platform.ts";
import { type Contents, makeClient, notesOf, provision, succeeded, write } from "./testing/contents.ts";
import { layFixture } from "./testing/fixture.ts";
import { FixturePlatform, STAGING } from "./testing/fixture-platform.ts";
import { type Killable, killAfter, killable } from "./testing/killed-start.ts";
import { rightsIn } from "./testing/rights.ts";
import { askAsRoot, callAs, ROOT_USER, readRunningEdge, type Target } from "./testing/root-api.ts";
import { Traffic } from "./testing/traffic.ts";

const HEALTHY = ["0.1.0-6c227d1", "0.1.0-79fb183"];
/** Deployed by `6c227d1`, then by `79fb183`, which revoked privileges. */
const RIGHTS_LOST = "rights-lost";
/** Number and choice of the moments of kills. Outside CI, set more than the default. */
const { UPGRADE_KILLS = "2", UPGRADE_SEED = "1" } = process.env;
/** Checkout of the last fixture's version, whose automation service runs on this version's schema. Default: it does not run. */
const { UPGRADE_CHECKOUT } = process.env;
/** Maximum milliseconds until a kill: about the duration of an upgrade. */
const LONGEST_MS: Readonly<Record<Killable, number>> = { engine: 20_000, edge: 30_000, service: 10_000 };

let freshRights: string[];
beforeAll(async () => {
  const { edge, close } = await openPlatform();
  try {
    freshRights = await rightsIn(edge);
  } finally {
    await close();
  }
});
afterAll(() => killPrograms());

/** Returns differences from a fresh install, for a short failure message. */
async function rightsApart(edge: { databaseUrl: string }): Promise<{ lost: string[]; extra: string[] }> {
  const rights = await rightsIn(edge);
  return {
    lost: freshRights.filter((right) => !rights.includes(right)),
    extra: rights.filter((right) => !freshRights.includes(right)),
  };
}
const SAME = { lost: [], extra: [] };

const job = z.object({ id: z.uuid() });

describe.each(
  HEALTHY.map((name, index) => ({ name, hasStaging: index > 0, stacks: index > 0 ? ["local", STAGING] : ["local"] })),
)("the platform of $name", ({ name, hasStaging, stacks }) => {
  test("serves every request during an upgrade, and lacks nothing afterwards", async ({ annotate }) => {
    const platform = await FixturePlatform.open(name);
    onTestFinished(() => platform.close());
    const { edge } = platform;
    const { contents } = platform.manifest;

    const traffic = await Traffic.start(edge, contents);
    await traffic.rounds(3);
    expect(traffic.soFar().failed).toEqual([]);
    // The older Workers still serve with this version's schema, and requested work is done after their upgrade.
    const asked = hasStaging ? [await withStaging(platform, traffic)] : [];
    const [tookMs, begun] = await Promise.all([platform.upgrade(), provisioned(edge, "northwind")]);
    for (const id of [begun, ...asked, contents.queued.job]) await succeeded(edge, id);
    await traffic.rounds(3);
    const { failed, answered, closings } = await traffic.stop();
    await annotate(
      `${Math.round(tookMs)} ms to deploy, ${failed.length} failed of ${JSON.stringify(answered)}, WebSocket closed: ${closings.join(", ")}`,
    );
    expect(failed).toEqual([]);
    // The update of the tenant's own Worker closes it.
    expect(closings.length, closings.join("\n")).toBeLessThanOrEqual(1);
    const { lost, extra } = await rightsApart(edge);
    expect({ lost, extra: extra.filter((right) => !/_staging\b/.test(right)) }).toEqual(SAME);

    const { instance, client, slug } = contents.tenant;
    await write(edge, `${slug}.tenantry.localhost`, "written after the upgrade");
    expect(await notesOf(edge, contents)).toHaveLength(2);
    const { id } = await askAsRoot(edge, job, "POST", `/client/instance/${instance}/restore`, {
      backup_id: contents.backup,
    });
    await succeeded(edge, id);
    expect(await notesOf(edge, contents)).toEqual([contents.note]);
    const listed = z.object({ data: z.array(z.looseObject({ id: z.string() })) });
    expect((await askAsRoot(edge, listed, "GET", `/client/${client}/invoices`)).data[0]?.id).toBe(contents.invoice);
    const users = z.object({ data: z.array(z.object({ email: z.string(), status: z.string() })) });
    const { data } = await askAsRoot(edge, users, "GET", `/api/clients/${client}/users`);
    expect(new Map(data.map(({ email, status }) => [email, status]))).toEqual(
      new Map([
        [contents.invited, "invited"],
        [contents.accepted, "validated"],
      ]),
    );
    const incidents = (await askAsRoot(edge, listed, "GET", "/incidents")).data.map((incident) => incident.id);
    expect(incidents).toContain(contents.incident);

    const stack = await platform.stack();
    expect(await changedResources(stack, "preview")).toEqual([]);
    expect(await changedResources(stack, "refresh")).toEqual([]);
    expect(await changedResources(stack, "preview")).toEqual([]);
    const doctor = ["doctor", ...stacks, "--json", "--detailed-exitcode"];
    const { code, output, progress } = await runFleet(platform.edge, doctor);
    expect(JSON.parse(output).platforms, progress).toMatchObject(
      stacks.map(() => ({ findings: [], failedChecks: [] })),
    );
    expect(code).toBe(0);
  });
});

/** Upgrades staging while production has the older version. @returns a job that the older dashboard has requested since */
async function withStaging(platform: FixturePlatform, traffic: Traffic): Promise<string> {
  await platform.deployStaging();
  const job = await provisioned(platform.edge, "adventure");
  if (UPGRADE_CHECKOUT !== undefined) {
    await platform.withService(UPGRADE_CHECKOUT, async () => {
      for (const id of [job, platform.manifest.contents.queued.job]) await succeeded(platform.edge, id);
    });
  }
  await traffic.rounds(5);
  expect(traffic.soFar().failed).toEqual([]);
  return job;
}

/** Requests another tenant. @returns its job */
async function provisioned(edge: Target, slug: string): Promise<string> {
  return (await provision(edge, await makeClient(edge, slug, `Client ${slug}`), slug)).job.id;
}

/** An unpacked fixture for `npm start`, removed with the test. */
async function laid(name: string): Promise<{ contents: Contents; state: string; start: () => Promise<Run> }> {
  const parent = mkdtempSync(join(tmpdir(), "tenantry-"));
  const state = join(parent, "state");
  onTestFinished(async () => {
    killPrograms();
    await expect.poll(() => processesOf(state), { timeout: 30_000 }).toEqual([]);
    await removeDatabase(join(state, "postgres"));
    rmSync(parent, { recursive: true, force: true });
  });
  const { contents } = await layFixture(name, state);
  // Another port than the one it was deployed with.
  const port = String(await freePort());
  return { contents, state, start: async () => startProgram("--state", state, "--port", port) };
}

/** Starts the platform, which must be healthy, and stops it. */
async function isCompletedBy(start: () => Promise<Run>, state: string, contents: Contents): Promise<void> {
  const run = await start();
  await run.printed(READY);
  const edge = readRunningEdge(state);
  await succeeded(edge, contents.queued.job);
  expect(await rightsApart(edge)).toEqual(SAME);
  const { tenant } = contents;
  await askAsRoot(edge, job, "PUT", "/client/update", { id: tenant.client, name: "Contoso" });
  expect(await notesOf(edge, contents)).toEqual([contents.note]);
  const health = await callAs(edge, ROOT_USER, "acme.tenantry.localhost", ["GET", "/api/health?passive=1"]);
  expect(health.status, health.body).toBe(200);
  run.child.kill("SIGINT");
  expect(await run.ended, run.output()).toBe(0);
}

/** The platform without privileges also gets them back from a start that another one was killed before. */
const KILLED = [RIGHTS_LOST, ...HEALTHY.toReversed()];

const moments = fc
  .sample(fc.noBias(fc.integer({ min: 0, max: 100 })), { seed: Number(UPGRADE_SEED), numRuns: Number(UPGRADE_KILLS) })
  .map((percent, index) => {
    const name = KILLED[index % KILLED.length] ?? RIGHTS_LOST;
    const which = killable[index % killable.length] ?? "engine";
    return { name, which, afterMs: Math.round((percent / 100) * LONGEST_MS[which]) };
  });

test.each(moments)(
  "the upgrade of $name is completed by the next start when the $which was killed after $afterMs ms",
  async ({ name, which, afterMs }) => {
    const { contents, state, start } = await laid(name);
    const first = await start();
    await killAfter(first, state, which, afterMs);
    if (which === "service") {
      // The edge starts another.
      await first.printed(READY);
      first.child.kill("SIGINT");
    }
    // A run whose engine was killed at its end may be complete.
    if (which === "engine") await Promise.race([first.ended, first.printed(READY).catch(() => {})]);
    if (first.child.exitCode === null && which === "engine") first.child.kill("SIGINT");
    await first.ended;
    await expect.poll(() => processesOf(state), { timeout: 30_000 }).toEqual([]);
    await isCompletedBy(start, state, contents);
  },
);
