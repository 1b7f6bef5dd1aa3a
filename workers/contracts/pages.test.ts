import { expect, test } from "vitest";
import { allRoutes } from "./api/all-routes.ts";
import { isPage, PAGE_FILES_PATH } from "./pages.ts";

test("gives no route of the API the address of a page or its files", () => {
  const paths = allRoutes.flatMap((routes) => Object.values(routes).map(({ path }) => path));
  expect(paths.filter((path) => isPage(path) || path.startsWith(PAGE_FILES_PATH))).toEqual([]);
});

test.each([
  ["/", true],
  ["/clients", true],
  ["/clients/42/users", true],
  ["/client", false],
  ["/clientsandmore", false],
  ["//evil", false],
])("%s is a page: %s", (path, page) => {
  expect(isPage(path)).toBe(page);
});
