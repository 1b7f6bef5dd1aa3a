import { expect, test } from "vitest";
import { planLimits, plans, SCRIPT_LIMITS } from "./plan.ts";

test("sets a script's limits to the maxima of all plans, because the dispatch sets smaller ones", () => {
  for (const plan of plans) {
    expect(SCRIPT_LIMITS.cpuMs).toBeGreaterThanOrEqual(planLimits(plan).cpuMs);
    expect(SCRIPT_LIMITS.subrequests).toBeGreaterThanOrEqual(planLimits(plan).subrequests);
  }
});
