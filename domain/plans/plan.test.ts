import { expect, test } from "vitest";
import { planLimits, plans, SCRIPT_LIMITS } from "./plan.ts";

test("a script may use what any plan grants, since the smaller of its limits and the dispatch's counts", () => {
  for (const plan of plans) {
    expect(SCRIPT_LIMITS.cpuMs).toBeGreaterThanOrEqual(planLimits(plan).cpuMs);
    expect(SCRIPT_LIMITS.subrequests).toBeGreaterThanOrEqual(planLimits(plan).subrequests);
  }
});
