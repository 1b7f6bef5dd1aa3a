import { expect, test } from "vitest";
import { claimsOn } from "./claims.ts";
import { stackFacts } from "./stacks/stack-facts.ts";
import { accountResource, evidence, PLATFORM, rowsWith, stateOf, tenantRow, tenantStack } from "./testing/evidence.ts";

const job = { id: "7", kind: "provision", slug: "acme", deadline: new Date(), late: true };
const GROUP = accountResource("access_group", "acme");
/** A new stack without resources. */
const empty = (name: string) => stackFacts(name, undefined, stateOf(name, []));

test.each([
  ["its row", { rows: rowsWith({ tenants: [tenantRow("acme", null)] }) }, "the database has the client acme"],
  ["a job, late or not", { rows: rowsWith({ jobs: [job] }) }, "the tenant's job provision 7 has not ended"],
  ["its stack", { stacks: [tenantStack("acme")] }, "the stack prod-acme belongs to the tenant"],
  [
    "an empty stack with its name",
    { stacks: [empty("organization/tenantry/live-acme")] },
    "the stack organization/tenantry/live-acme belongs to the tenant",
  ],
  [
    "a running gateway",
    { heartbeats: { found: new Map([["acme", new Date(0)]]) } },
    "its gateway sent a heartbeat at 1970-01-01T00:00:00.000Z",
  ],
  ["rows that cannot be read", { rows: { fault: "down" } }, "it is unknown whether the database has the tenant"],
  ["heartbeats that cannot be read", { heartbeats: { fault: "down" } }, "it is unknown whether its gateway runs"],
])("a tenant is claimed by %s", (_what, more, claim) => {
  expect(claimsOn(GROUP, evidence(more))).toEqual([claim]);
});

test("a tenant is not claimed by another tenant's rows and stacks", () => {
  const stacks = [
    tenantStack("other"),
    empty("organization/tenantry/prod-other"),
    // The same slug on another platform.
    { ...tenantStack("acme"), platform: "organization/tenantry/dev" },
    { ...empty("prod"), stack: PLATFORM.stack },
  ];
  const rows = rowsWith({ tenants: [tenantRow("other")], jobs: [{ ...job, slug: "other" }] });
  expect(claimsOn(GROUP, evidence({ stacks, rows }))).toEqual([]);
});

test("a second token or policy of a name that a stack has is claimed by nothing", () => {
  const token = accountResource("api_token", "acme");
  const type = "cloudflare:index/accountToken:AccountToken";
  const stackWith = (name: string) =>
    stackFacts("prod-acme", undefined, stateOf("prod-acme", [{ type, name: "token", id: "first", inputs: { name } }]));
  const rows = rowsWith({ tenants: [tenantRow("acme")] });
  expect(claimsOn(token, evidence({ rows, stacks: [stackWith(token.name)] }))).toEqual([]);
  expect(claimsOn(token, evidence({ rows, stacks: [stackWith("AI gateway of lab")] }))).not.toEqual([]);
});
