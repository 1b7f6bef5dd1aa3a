import { expect, test } from "vitest";
import { limitsOf } from "./environment.ts";

test("reads limits from the variable", () => {
  expect(limitsOf(undefined)).toEqual({});
  expect(limitsOf("apiRequests=100000, scripts=2")).toEqual({ apiRequests: 100_000, scripts: 2 });
});

test.each(["apiRequests", "apiRequests=many", "unknown=1", "webSocketMessage=1"])("refuses %s", (entry) => {
  expect(() => limitsOf(`scripts=2,${entry}`)).toThrow(`the invalid entry "${entry}"`);
});
