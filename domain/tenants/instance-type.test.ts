import { expect, test } from "vitest";
import { instanceSize, instanceTypes, MOST_MEMORY_MIB, smallestWith } from "./instance-type.ts";

test("grow from one type to the next in every resource", () => {
  const sizes = instanceTypes.map(instanceSize);
  for (const [index, size] of sizes.slice(1).entries()) {
    const before = sizes[index];
    if (before === undefined) throw new Error("no type before");
    expect(size.memoryMiB).toBeGreaterThan(before.memoryMiB);
    expect(size.vcpu).toBeGreaterThan(before.vcpu);
    expect(size.diskGB).toBeGreaterThan(before.diskGB);
  }
  expect(sizes.at(-1)?.memoryMiB).toBe(MOST_MEMORY_MIB);
});

test("finds the smallest type with enough memory, to the MiB", () => {
  expect([1, 256, 257, 1_024, 1_025, MOST_MEMORY_MIB].map(smallestWith)).toEqual([
    "lite",
    "lite",
    "basic",
    "basic",
    "standard-1",
    "standard-4",
  ]);
  expect(smallestWith(MOST_MEMORY_MIB + 1)).toBeUndefined();
});

// docs/explanation/limits-and-costs.md says so (vendor: "Limits and Instance Types", account limits).
test("fits an account's 299 tenants into its container limits, for every type", () => {
  const { memoryMiB, vcpu, diskGB } = instanceSize("standard-4");
  expect(299 * memoryMiB).toBeLessThan(6 * 1_024 * 1_024);
  expect(299 * vcpu).toBeLessThan(1_500);
  expect(299 * diskGB).toBeLessThan(30_000);
});
