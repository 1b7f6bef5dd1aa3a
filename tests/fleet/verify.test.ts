import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { VerifyReport } from "#fleet/verify/verify.ts";
import type { Edge } from "#local/edge.ts";
import { describeEdge, writeEdgeFile } from "#local/state/edge-file.ts";
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
const stacks = () =>
  readdirSync(join(edge.directory, "pulumi/.pulumi/stacks/tenantry")).filter((name) => name.endsWith(".json"));
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

test.each([
  ["in the middle of the deployment", "bucket"],
  ["before the service token is admitted", "access_service_token"],
])("removes the canary and its service token when it is interrupted %s", async (_, created) => {
  const before = edge.store.counts();
  const { child, ended } = start();
  await new Promise<void>((resolve) => {
    const ignore = edge.store.onChange(({ kind }) => {
      if (kind !== created) return;
      ignore();
      resolve();
    });
  });
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
