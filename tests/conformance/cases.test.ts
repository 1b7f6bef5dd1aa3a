/** Every case, and the operations that the project uses. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiParts } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cases } from "#conformance/cases.ts";
import { usedOperations } from "#conformance/operations.ts";
import { Journal } from "#conformance/run/journal.ts";
import type { Outcome } from "#conformance/run/outcome.ts";
import { type CaseTrace, labelOf, runCases } from "#conformance/run/run.ts";
import { type OpenTarget, openOwnEdge } from "#conformance/run/target.ts";

const served = apiParts.flatMap(({ operations }) => Object.keys(operations));

let edge: OpenTarget;
let journals: string;
let journal: Journal;
const outcomes = new Map<string, Outcome & CaseTrace>();
beforeAll(async () => {
  journals = mkdtempSync(join(tmpdir(), "journals-"));
  edge = await openOwnEdge();
  journal = Journal.create(journals, "test", edge.target.accountId);
  await runCases(cases, {
    target: edge.target,
    journal,
    signal: new AbortController().signal,
    onCase: (one, outcome, trace) => outcomes.set(one.id, { ...outcome, ...trace }),
  });
});
afterAll(async () => {
  await edge?.close();
  rmSync(journals, { recursive: true, force: true });
});

/** Whether a request is of an operation such as `GET /zones/:zone_id`. */
function isCall(operation: string): (call: string) => boolean {
  const pattern = new RegExp(`^${operation.replace(/:\w+(\{[^}]*\})?/g, "[^/]+")}$`);
  return (call) => pattern.test(call);
}

test("the edge does what each case relies on", () => {
  const others = [...outcomes.values()].filter(({ status }) => status !== "passed");
  const allowed = cases.filter(({ notEmulated }) => notEmulated !== undefined).map(({ id }) => id);
  expect(others.filter(({ id, status }) => status !== "skipped" || !allowed.includes(id))).toEqual([]);
  expect(outcomes.size).toBe(cases.length);
});

test("each case deletes what it created", () => {
  expect(journal.leftovers()).toEqual([]);
});

test("each case calls the operations that it declares", () => {
  const missing = cases
    .filter(({ notEmulated }) => notEmulated === undefined)
    .flatMap(({ id, operations }) => {
      const calls = [...(outcomes.get(id)?.calls ?? [])];
      return operations.filter((operation) => !calls.some(isCall(operation))).map((operation) => `${id}: ${operation}`);
    });
  expect(missing).toEqual([]);
});

test("each case creates only what its product declares", () => {
  const undeclared = cases.flatMap(({ id, product }) => {
    const owned = [...(outcomes.get(id)?.owned ?? [])];
    return owned.filter((kind) => !product.creates?.includes(kind)).map((kind) => `${id}: ${kind}`);
  });
  expect(undeclared).toEqual([]);
});

test("each used operation has a case, and each operation of a case is used", () => {
  const covered = new Set(cases.flatMap(({ operations }) => operations));
  const used = new Set(usedOperations().keys());
  expect([...used].filter((operation) => !covered.has(operation))).toEqual([]);
  expect([...covered].filter((operation) => !used.has(operation))).toEqual([]);
  expect([...used].filter((operation) => !served.includes(operation))).toEqual([]);
});

test("ids of cases are unique, and each case states one sentence and a source", () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  // A reused name may be cached as deleted.
  expect(new Set(cases.map(({ id }) => labelOf(id))).size).toBe(cases.length);
  const wrong = cases.filter(
    ({ reliesOn, source }) => !/^[A-Z`].*[.]$/.test(reliesOn) || !/^(https:|not documented$)/.test(source),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});
