import { expect, test } from "vitest";
import type { ResourceChange } from "#automation/engine/run/resource-change.ts";
import { clientRecord, forbiddenChanges } from "./rehearsal.ts";

const change = (operation: string, type: string, paths: string[] = []): ResourceChange => ({
  ...{ operation, type, paths, parent: "" },
  urn: `urn:pulumi:production-acme::tenantry::tenantry:components:Client$${type}::acme`,
});
const RECORD = "tenantry:index:DatabaseRecord";
const CONTAINERS = "tenantry:index:ContainerApplication";
const BUCKET = "cloudflare:index/r2Bucket:R2Bucket";

test("allows unchanged resources, updates and handed rows", () => {
  const urn = clientRecord("production-acme", "acme");
  const changes = [
    change("same", BUCKET),
    change("read", "pulumi:pulumi:StackReference"),
    change("update", RECORD, ["values.managed_by"]),
    { ...change("create", RECORD), urn },
  ];
  expect(forbiddenChanges(changes, { handed: [urn], updates: "any" })).toEqual([]);
  expect(forbiddenChanges(changes, { updates: "any" })).toEqual(["create DatabaseRecord client-acme"]);
});

test("reports creations, replacements, deletions, restarts and forbidden updates", () => {
  const lost = [change("create-replacement", BUCKET), change("delete", RECORD), change("create", RECORD)];
  expect(forbiddenChanges(lost, { updates: "any" })).toEqual([
    "create-replacement R2Bucket acme",
    "delete DatabaseRecord acme",
    "create DatabaseRecord acme",
  ]);
  const restart = [change("update", CONTAINERS, ["instanceType"])];
  expect(forbiddenChanges(restart, { updates: "any" })).toEqual(["update ContainerApplication acme (instanceType)"]);
  const owners = [change("update", CONTAINERS, ["owner"])];
  const plan = [change("update", RECORD, ["owner", "values.billing_plan"])];
  expect(forbiddenChanges([...owners, ...plan], { updates: "owners" })).toEqual([
    "update DatabaseRecord acme (owner, values.billing_plan)",
  ]);
  expect(forbiddenChanges(owners, { updates: "none" })).toEqual(["update ContainerApplication acme (owner)"]);
});
