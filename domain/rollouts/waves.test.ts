import { expect, test } from "vitest";
import { planWaves, type RolloutCandidate, stickyPosition, wavesFault } from "./waves.ts";

const candidates = (count: number, canaries: readonly number[] = []): RolloutCandidate[] =>
  Array.from({ length: count }, (_, index) => ({
    // Spread over the whole order.
    instanceId: `${Math.floor((index * 2 ** 32) / count)
      .toString(16)
      .padStart(8, "0")}-0000-4000-8000-000000000000`,
    isCanary: canaries.includes(index),
  }));
const sizes = (waves: Map<string, number>) => {
  const counted: number[] = [];
  for (const wave of waves.values()) counted[wave] = (counted[wave] ?? 0) + 1;
  return [...counted].map((size) => size ?? 0);
};

test("uses the first tenant as canary when none is set, and reaches each wave's percentage", () => {
  expect(sizes(planWaves(candidates(100), [10, 50, 100]))).toEqual([1, 9, 40, 50]);
  expect(sizes(planWaves(candidates(3), [10, 50, 100]))).toEqual([1, 0, 0, 2]);
  expect(sizes(planWaves(candidates(1), [100]))).toEqual([1]);
  expect(planWaves([], [100]).size).toBe(0);
});

test("puts all canaries first, and counts them in later waves", () => {
  const waves = planWaves(candidates(10, [3, 9]), [50, 100]);
  expect(sizes(waves)).toEqual([2, 3, 5]);
  for (const { instanceId, isCanary } of candidates(10, [3, 9])) expect(waves.get(instanceId) === 0).toBe(isCanary);
});

test("keeps the order of tenants when others are added", () => {
  const many = candidates(100);
  const all = planWaves(many, [10, 100]);
  const fewer = planWaves(
    many.filter((_, index) => index % 2 === 0),
    [10, 100],
  );
  for (const [id, wave] of fewer) if (wave <= 1) expect(all.get(id)).toBeLessThanOrEqual(1);
  expect(stickyPosition("80000000-0000-4000-8000-000000000000")).toBe(0.5);
});

test("requires rising percentages that end with 100", () => {
  expect([[100], [1, 99, 100]].map((waves) => wavesFault(waves))).toEqual([undefined, undefined]);
  for (const waves of [[], [50], [50, 50, 100], [0, 100], [100, 50]]) expect(wavesFault(waves)).toContain("100");
});
