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
const rows = () => sql(edge, "select slug, status from tenantry.clients order by slug");

test("proves a platform with a canary, and leaves nothing", async () => {
  const before = edge.store.counts();
  const { code, output, progress } = await start().ended;
  if (output === "") throw new Error(progress);
  const { checks, canary, tenant } = JSON.parse(output) as VerifyReport;
  console.log(checks, progress);
  expect(checks.filter(({ state }) => state !== "pass").map(({ check, reason }) => [check, reason])).toEqual([
    ["sleep", "verify_sleep_not_awaited"],
  ]);
  expect(code).toBe(0);
  expect(canary).toBe(true);
  expect(checks.map(({ check }) => check)).toEqual([
    ...["deploy", "stranger", "stranger_order", "health", "wake", "login", "turn", "backup", "sleep", "restart"],
    "remove",
  ]);
  expect(edge.store.counts()).toEqual(before);
  expect(edge.store.list("bucket").map(({ id }) => id)).not.toContain(`tenantry-backups-${tenant}`);
  console.log(await rows());
  expect(output + progress).not.toContain(edge.apiToken);
});
