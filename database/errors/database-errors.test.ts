/** Errors of the catalogue for constraints and functions of the schema. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ruleErrors } from "#domain/errors/database/rules.ts";
import type { HttpError } from "#domain/errors/stated.ts";
import { ALREADY_EXISTS, NOT_ALLOWED, REFERENCES } from "./constraint-errors.ts";
import { sqlTextOf, statedRule } from "./stated-rule.ts";

const DATABASE = join(import.meta.dirname, "..");

test("names constraints and indexes that exist", () => {
  const schema = readFileSync(join(DATABASE, "schema.sql"), "utf8");
  const named = [ALREADY_EXISTS, REFERENCES, NOT_ALLOWED].flatMap((errors) => Object.keys(errors));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(schema))).toEqual([]);
});

/** Errors that functions raise for users, with file and line. */
function raisedForUsers(): { at: string; text: string; state: string }[] {
  return globSync("routines/**/*.sql", { cwd: DATABASE }).flatMap((file) => {
    const sql = readFileSync(join(DATABASE, file), "utf8");
    const statements = sql.matchAll(/raise exception\s+'((?:[^']|'')*)'[^;]*?errcode = '(TN0(?!06|07)\d\d)'/g);
    return [...statements].map(({ index, 1: text = "", 2: state = "" }) => ({
      at: `database/${file}:${sql.slice(0, index).split("\n").length}`,
      text: text.replaceAll("''", "'").replace(/^no_\w+_capacity: /, ""),
      state,
    }));
  });
}

test("has an entry for each error that a function raises for users, and none without one", () => {
  const raised = raisedForUsers();
  expect(raised.length).toBeGreaterThan(15);
  const used = new Set<string>([ruleErrors.rule_of_database.reason]);
  const missing = raised.filter(({ text, state }) => {
    const escaped = text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
    const pattern = new RegExp(`^${escaped.replaceAll("%", ".*")}$`);
    const found = Object.values<HttpError>(ruleErrors).filter((entry) =>
      pattern.test(sqlTextOf(entry).replaceAll(/\{\w+\}/g, "x")),
    );
    for (const { reason } of found) used.add(reason);
    return found.length === 0 || found.some(({ code }) => code !== statedRule(state, "unknown").code);
  });
  expect(missing, "Add an entry to domain/errors/database/rules.ts with the code of the SQLSTATE.").toEqual([]);
  expect(Object.keys(ruleErrors).filter((reason) => !used.has(reason))).toEqual([]);
});

test.each([
  [
    "TN003",
    "an instance that is running cannot become error; check its current status",
    "instance_status_step",
    "An instance that is running cannot become error. Check its current status.",
  ],
  [
    "TN002",
    "no_ai_gateway_capacity: AI gateway pool-a holds 2 of 2 instances; plan again or raise max_instances",
    "ai_gateway_has_no_slot",
    "AI gateway pool-a holds 2 of 2 instances. Plan again or raise max_instances.",
  ],
  [
    "TN030",
    "no_account_capacity: the limit limits.buckets is 1, and 2 would be needed; remove tenants, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more. Elsewhere: us",
    "account_limit_reached",
    "The limit limits.buckets is 1, and 2 would be needed. Remove tenants, or raise the limit under tenantry:platform in the platform's stack if the account's plan allows more. Elsewhere: us.",
  ],
  ["TN009", "a rule of a later version", "rule_of_database", "A rule of a later version."],
])("states %s %j", (state, raised, reason, message) => {
  expect(statedRule(state, raised)).toMatchObject({ reason, message });
});

test("keeps the code of an unknown rule's SQLSTATE", () => {
  expect(statedRule("TN009", "a rule of a later version").code).toBe("forbidden");
});
