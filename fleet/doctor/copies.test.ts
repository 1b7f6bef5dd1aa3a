/** Copies of resources, which Cloudflare creates when a client repeats a create whose response was lost. */
import { expect, test } from "vitest";
import { twinOf } from "./evidence.ts";
import { unknownResources } from "./findings/unknown-resource.ts";
import { accountResource, evidence, tenantStack } from "./testing/evidence.ts";

const first = accountResource("access_policy", "acme", "first");
const second = accountResource("access_policy", "acme", "second");
const findingsWith = (held: readonly string[]) =>
  unknownResources(evidence({ stacks: [tenantStack("acme", held)], resources: [first, second] })).flatMap((one) =>
    "fault" in one ? [] : one.findings,
  );

test("names the resource of the stack as the twin of its copy", () => {
  expect(findingsWith(["first"])).toMatchObject([
    { removable: second, twin: first, why: expect.stringContaining("a copy"), remedy: "--fix removes it" },
  ]);
  expect(findingsWith([]).map(({ twin }) => twin)).toEqual([undefined, undefined]);
});

test("knows no twin of a kind whose name is its id", () => {
  const [own, other] = [accountResource("bucket", "acme", "own"), accountResource("bucket", "acme", "other")];
  expect(twinOf(other, evidence({ stacks: [tenantStack("acme", ["own"])], resources: [own, other] }))).toBeUndefined();
});
