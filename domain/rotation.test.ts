import { expect, test } from "vitest";
import { NEVER_ROTATED, nextStep, type Rotation, slotName, validVersions } from "./rotation.ts";

test("validates a version before its use, and invalidates the old one after that", () => {
  const steps: Rotation[] = [NEVER_ROTATED];
  for (let at = NEVER_ROTATED; steps.length < 7; steps.push(at)) at = nextStep(at);
  expect(steps.map(validVersions)).toEqual([
    { used: 1, other: undefined },
    { used: 1, other: 2 },
    { used: 2, other: 1 },
    { used: 2, other: undefined },
    { used: 2, other: 3 },
    { used: 3, other: 2 },
    { used: 3, other: undefined },
  ]);
});

test("gives versions that are valid at the same time different names", () => {
  expect([1, 2, 3, 4].map((version) => slotName("token", version))).toEqual(["token", "token-b", "token", "token-b"]);
});
