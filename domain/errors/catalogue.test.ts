import { expect, test } from "vitest";
import { defineErrors, errorText } from "./catalogue.ts";

const errors = defineErrors({
  in_use: { code: "conflict", message: "Slug {slug} is in use by {count} tenants.", remedy: "Choose another slug." },
  body: { message: "The body is invalid.", remedy: 'Send { "slug": name } as JSON.' },
});

test("inserts values into message and remedy", () => {
  expect(errorText(errors.in_use, { slug: "acme", count: 2 })).toBe(
    "Slug acme is in use by 2 tenants. Choose another slug.",
  );
});

test("does not insert values into values", () => {
  expect(errorText(errors.in_use, { slug: "{count}", count: 2 })).toContain("Slug {count} is");
});

test("keeps braces of JSON", () => {
  expect(errorText(errors.body)).toBe('The body is invalid. Send { "slug": name } as JSON.');
});

test("rejects a missing value at compile time", () => {
  // @ts-expect-error slug and count are missing
  expect(errorText(errors.in_use)).toContain("{slug}");
  // @ts-expect-error count is missing
  expect(errorText(errors.in_use, { slug: "acme" })).toContain("{count}");
});

test("names each entry by its key", () => {
  expect([errors.in_use.reason, errors.in_use.code]).toEqual(["in_use", "conflict"]);
});
