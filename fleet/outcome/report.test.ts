import { expect, test } from "vitest";
import { outcome, stackReport } from "../testing/sample-report.ts";
import { exitCode, type FleetReport } from "./report.ts";

const quiet = stackReport("quiet", { tenants: [outcome("a", {})] });
const changing = stackReport("changing", { tenants: [outcome("b", { fate: "made" })] });
const drifted = stackReport("drifted", {
  drift: [{ tenant: "a", type: "AiGateway", name: "own", what: "gone", paths: [] }],
});
const held = stackReport("held", { removal: true, basis: "none" });
const failed = stackReport("failed", { fault: "no" });

test.each([
  ["preview", [], 0, 0],
  ["preview", [quiet], 0, 0],
  ["preview", [quiet, changing], 0, 2],
  ["preview", [changing, failed], 1, 1],
  ["drift", [quiet], 0, 0],
  ["drift", [quiet, drifted], 0, 2],
  ["up", [changing], 0, 0],
  ["up", [changing, held], 0, 2],
  ["up", [failed], 1, 1],
] as const)("%s of %j ends with %i, or %i in detail", (command, stacks, plain, detailed) => {
  const report: FleetReport = { command, since: null, stacks: [...stacks] };
  expect([exitCode(report, false), exitCode(report, true)]).toEqual([plain, detailed]);
});
