import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecordKind } from "@tenantry/edge";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { VerifyReport } from "#fleet/verify/verify.ts";
import type { Edge } from "#local/edge.ts";
import { describeEdge, writeEdgeFile } from "#local/state/edge-file.ts";
import { killTree } from "../testing/engine.ts";
import { openPlatform } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";
import { killFleets, startFleet } from "./testing/fleet-run.ts";

let edge: Edge;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  writeEdgeFile(edge.directory, describeEdge(edge, { automation: "http://127.0.0.1:9", tenants: [], users: [] }));
});
afterAll(async () => {
  killFleets();
  await close();
});

const start = (...args: string[]) =>
  startFleet(edge, ["verify", ...args, "--stack", "whole", "--json", "--state", edge.directory]);
const stacksDirectory = () => join(edge.directory, "pulumi/.pulumi/stacks/tenantry");
const stacks = () => readdirSync(stacksDirectory()).filter((name) => name.endsWith(".json"));
const rows = () => sql(edge, "select slug, status from tenantry.clients order by slug");

test("proves a platform with a canary, and leaves nothing", async () => {
  const before = edge.store.counts();
  const { code, output, progress } = await start().ended;
  if (output === "") throw new Error(progress);
  const { checks, canary, tenant } = JSON.parse(output) as VerifyReport;
  expect(checks.filter(({ state }) => state !== "pass")).toEqual([]);
  expect(code).toBe(0);
  expect(canary).toBe(true);
  expect(checks.map(({ check }) => check)).toEqual([
    ...["deploy", "access", "stranger", "stranger_order", "health", "wake", "login", "turn", "backup", "sleep"],
    ...["wake_by_request", "wake_by_schedule", "restart", "access_removed", "remove"],
  ]);
  expect(checks.find(({ check }) => check === "turn")?.found).toBe("logged by pool-a");
  expect(stacks()).toEqual(["whole.json"]);
  expect(edge.store.counts()).toEqual(before);
  expect(edge.store.list("bucket").map(({ id }) => id)).not.toContain(`tenantry-backups-${tenant}`);
  expect(await rows()).toEqual([]);
  expect(output + progress).not.toContain(edge.apiToken);
});

/** Resolves when the next object of a kind exists. */
const creation = (kind: RecordKind) =>
  new Promise<void>((resolve) => {
    const ignore = edge.store.onChange((change) => {
      if (change.kind !== kind) return;
      ignore();
      resolve();
    });
  });

test("removes the canary that a killed run left hours ago, and not that of a run that may be alive", async () => {
  const before = edge.store.counts();
  const killed = start();
  await creation("container_application");
  if (killed.child.pid !== undefined) killTree(killed.child.pid);
  await killed.ended;
  const [left = ""] = stacks().filter((name) => name !== "whole.json");
  expect(left).toMatch(/^production-verify-/);

  const soon = start();
  await creation("bucket");
  soon.child.kill("SIGINT");
  expect((await soon.ended).progress).not.toContain("killed run");
  expect(stacks().toSorted()).toEqual([left, "whole.json"]);

  const path = join(stacksDirectory(), left);
  const written = /("time": ?)"[^"]+"/;
  const state = readFileSync(path, "utf8");
  expect(state).toMatch(written);
  writeFileSync(path, state.replace(written, `$1"${new Date(Date.now() - 4 * 3_600_000).toISOString()}"`));
  const later = start();
  await creation("bucket");
  later.child.kill("SIGINT");
  expect((await later.ended).progress).toContain("pass The canary of a killed run is removed");
  expect(stacks()).toEqual(["whole.json"]);
  expect(edge.store.counts()).toEqual(before);
  expect(await rows()).toEqual([]);
});

test.each([
  ["in the middle of the deployment", "bucket"],
  ["before the service token is admitted", "access_service_token"],
] as const)("removes the canary and its service token when it is interrupted %s", async (_, created) => {
  const before = edge.store.counts();
  const { child, ended } = start();
  await creation(created);
  child.kill("SIGINT");
  const { code, output, progress } = await ended;
  expect([code, output]).toEqual([1, ""]);
  expect(progress).toContain("pass The canary is removed");
  expect(edge.store.counts()).toEqual(before);
  expect(await rows()).toEqual([]);
  expect(stacks()).toEqual(["whole.json"]);
});

test("names a tenant that does not exist", async () => {
  const { code, output } = await start("nobody").ended;
  const { checks } = JSON.parse(output) as VerifyReport;
  expect(code).toBe(1);
  expect(checks[0]).toMatchObject({ check: "tenant", state: "fail", reason: "verify_tenant_unknown" });
  expect(checks.slice(1).every(({ reason }) => reason === "verify_step_without_earlier")).toBe(true);
});
