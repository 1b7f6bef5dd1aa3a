import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiParts } from "@tenantry/edge/testing/api";
import { leniencies } from "@tenantry/std/difference";
import { expect, test } from "vitest";
import { assumptions } from "#conformance/assumptions.ts";
import { cases } from "#conformance/cases.ts";
import { conformanceDocument } from "#conformance/document.ts";
import { RECORDS, readRecords } from "#conformance/run/record.ts";
import { allStandIns } from "#local/start/stand-in-document.ts";

const ROOT = join(import.meta.dirname, "../..");

test("docs/reference/conformance.md lists every case with its evidence; `-u` writes it", async () => {
  const path = join(ROOT, "docs/reference/conformance.md");
  await expect(conformanceDocument(cases, readRecords(RECORDS))).toMatchFileSnapshot(path);
});

test("each assumption has cases or a step by hand", () => {
  const names = new Set(cases.flatMap(({ id, product }) => [id, product.name]));
  const wrong = assumptions.filter(({ cases: ids, manual }) =>
    ids === undefined ? manual === undefined : ids.length === 0 || ids.some((id) => !names.has(id)),
  );
  expect(wrong).toEqual([]);
});

test("each difference of the edge that is a guess is an assumption", () => {
  const isGuess = ({ differs = [] }: (typeof apiParts)[number]) => differs.some(({ is }) => is === "undocumented");
  const guesses = apiParts.filter(isGuess).map(({ title }) => title);
  const covered = assumptions.flatMap(({ coverage }) => coverage ?? []);
  expect(guesses.filter((title) => !covered.includes(title))).toEqual([]);
  const titles = apiParts.map(({ title }) => title);
  expect(covered.filter((title) => !titles.includes(title))).toEqual([]);
});

test("each case that settles a leniency exists", () => {
  const ids = new Set(cases.map(({ id }) => id));
  const settling = leniencies(allStandIns).flatMap(({ settledBy = "" }) => (settledBy.includes(".") ? settledBy : []));
  expect(settling.filter((id) => !ids.has(id))).toEqual([]);
});

test("the pages about the edge refer to the document instead of a list of their own", () => {
  for (const [page, link] of [
    ["docs/reference/local-edge.md", "(conformance.md#never-tried-at-cloudflare)"],
    ["packages/edge/docs/coverage.md", "(../../../docs/reference/conformance.md)"],
  ] as const)
    expect(readFileSync(join(ROOT, page), "utf8")).toContain(link);
});

test("a record confirms a case, or names the stand-in to change", () => {
  const [first, second] = cases;
  if (first === undefined || second === undefined) throw new Error("there are no cases");
  const ran = { duration_ms: 1, propagation_ms: {} };
  const records = [
    { date: "2026-12-01", cases: { [first.id]: { ...ran, status: "contradicted" as const, message: "It differs." } } },
    { date: "2026-12-02", cases: { [first.id]: { ...ran, status: "passed" as const } } },
    { date: "2026-12-03", cases: { [first.id]: { ...ran, status: "not_permitted" as const } } },
    { date: "2026-12-04", cases: { [second.id]: { ...ran, status: "contradicted" as const, message: "It differs." } } },
  ];
  const text = conformanceDocument(cases, records);
  const rowOf = (id: string) => text.split("\n").find((line) => line.startsWith(`| \`${id}\` |`));
  expect(rowOf(first.id)).toMatch(/\| 2026-12-02 \|$/);
  const change = `Change \`packages/edge/src/${second.product.standIn}\``;
  expect(rowOf(second.id)).toContain(`**contradicted** 2026-12-04: It differs. ${change}`);
  expect(text).toContain("Accounts have confirmed 1 cases so far.");
});
