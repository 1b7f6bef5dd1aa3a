import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test, vi } from "vitest";
import { PLAN_CONTAINERS, type Plan } from "#domain/plans/plan.ts";
import { warnOfSmallContainers } from "./container-memory.ts";

/** Returns the warnings for tenants of these plans. */
function warnings(clients: Plan[], gatewayMemoryMiB: number, containers = PLAN_CONTAINERS): string[] {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  onTestFinished(() => warn.mockRestore());
  warn.mockClear();
  warnOfSmallContainers(
    clients.map((plan) => ({ plan })),
    { containers, gatewayMemoryMiB },
  );
  return warn.mock.calls.map(([text]) => text);
}

test("warns of each used plan that is too small for the gateway, in one line with the remedy", () => {
  expect(warnings(["free", "pro", "free"], 1_024)).toEqual([
    "plan free runs its 2 tenants in lite (256 MiB), and the image's gateway needs 1024 MiB: set containers.free to basic or larger, " +
      "or gatewayMemoryMiB to what the image needs, under tenantry:platform in the platform's stack",
  ]);
  expect(warnings(["pro", "basic"], 5_000)).toEqual([
    expect.stringMatching(
      /^plan basic runs its tenant in standard-1 \(4096 MiB\), .* set containers\.basic to standard-2 or larger/,
    ),
  ]);
});

test("does not warn when containers are large enough, the gateway is small, or no client has the plan", () => {
  expect(warnings(["free", "basic"], 1_024, { ...PLAN_CONTAINERS, free: "basic" })).toEqual([]);
  expect(warnings(["free"], 256)).toEqual([]);
  expect(warnings(["basic", "pro", "enterprise"], 1_024)).toEqual([]);
});
