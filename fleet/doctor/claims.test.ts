import { expect, test } from "vitest";
import { claimsOn } from "./claims.ts";
import { stackFacts } from "./stacks/stack-facts.ts";
import { evidence, PLATFORM, stateOf, tenantRow, tenantStack } from "./testing/evidence.ts";

const job = { id: "7", kind: "provision", slug: "acme", deadline: new Date(), late: true };
/** Made a moment ago: it tells nothing yet. */
const empty = (name: string) => stackFacts(name, undefined, stateOf(name, []));

test.each([
  [
    "its row",
    { rows: { found: { tenants: [tenantRow("acme", null)], jobs: [] } } },
    "the database has the client acme",
  ],
  ["a job, late or not", { rows: { found: { tenants: [], jobs: [job] } } }, "the job provision 7 of it has not ended"],
  ["its stack", { stacks: [tenantStack("acme")] }, "the stack prod-acme is the tenant's"],
  [
    "a stack that was only made",
    { stacks: [empty("organization/tenantry/live-acme")] },
    "the stack organization/tenantry/live-acme is the tenant's",
  ],
  [
    "a gateway that runs",
    { heartbeats: { found: new Map([["acme", new Date(0)]]) } },
    "its gateway told at 1970-01-01T00:00:00.000Z that it runs",
  ],
  ["rows that nobody could read", { rows: { fault: "down" } }, "whether the database has the tenant is not known"],
  ["heartbeats that nobody could read", { heartbeats: { fault: "down" } }, "whether its gateway runs is not known"],
])("a tenant is claimed by %s", (_what, more, claim) => {
  expect(claimsOn("acme", evidence(more))).toEqual([claim]);
});

test("nobody claims a tenant for another's sake", () => {
  const stacks = [
    tenantStack("other"),
    empty("organization/tenantry/prod-other"),
    // Of the same slug, and another platform's.
    { ...tenantStack("acme"), platform: "organization/tenantry/dev" },
    { ...empty("prod"), stack: PLATFORM.stack },
  ];
  const rows = { found: { tenants: [tenantRow("other")], jobs: [{ ...job, slug: "other" }] } };
  expect(claimsOn("acme", evidence({ stacks, rows }))).toEqual([]);
});
