import * as pulumi from "@pulumi/pulumi";
import { expect, test, vi } from "vitest";
import { warnOfLargeFleet } from "./size.ts";

test("warns above 20 tenants in one stack, and names the documentation", () => {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  warnOfLargeFleet(20);
  expect(warn).not.toHaveBeenCalled();
  warnOfLargeFleet(21);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/holds 21 tenants.*docs\/how-to\/declare-tenants-in-files\.md/),
  );
});
