import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Store } from "#account/store.ts";
import { putRoute } from "#runtime/testing/scripts.ts";
import { RouteTable } from "./route-table.ts";

let directory: string;
let store: Store;
let table: RouteTable;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "routes-test-"));
  store = new Store(directory);
  for (const pattern of patterns) putRoute(store, pattern, "worker");
  table = new RouteTable(store);
});
afterEach(() => {
  store.close();
  rmSync(directory, { recursive: true });
});

const patterns = [
  "*.example.com/*",
  "*example.com/any/*",
  "dash.example.com/*",
  "dash.example.com/api/*",
  "*.example.com/api/health",
  "https://secure.example.com/*",
  "*/everywhere",
  "*-dev.example.com/*",
];

describe("the most specific route", () => {
  test.each([
    ["http://acme.example.com/", "*.example.com/*"],
    ["http://acme-dev.example.com/", "*-dev.example.com/*"],
    ["http://acme-dev.example.com/api/health", "*-dev.example.com/*"],
    ["http://dev-dash.example.com/", "*.example.com/*"],
    ["http://acme-dev.b.example.com/", "*.example.com/*"],
    ["http://acme.example.com:8787/a/b?c", "*.example.com/*"],
    ["http://a.b.example.com/x", "*.example.com/*"],
    ["http://dash.example.com/", "dash.example.com/*"],
    ["http://dash.example.com/api/x", "dash.example.com/api/*"],
    ["http://dash.example.com/api/health", "dash.example.com/api/*"],
    ["http://acme.example.com/api/health", "*.example.com/api/health"],
    ["http://acme.example.com/api/health?passive=1", "*.example.com/*"],
    ["http://example.com/any/x", "*example.com/any/*"],
    ["http://example.com/", undefined],
    ["http://secure.example.com/", "*.example.com/*"],
    ["https://secure.example.com/", "https://secure.example.com/*"],
    ["http://example.com.evil.test/", undefined],
    ["http://other.test/everywhere", "*/everywhere"],
  ])("for %s is %s", (address, pattern) => {
    expect(table.match(new URL(address))?.pattern).toBe(pattern);
  });

  test("without a script excludes Workers", () => {
    const open = { id: "open", zone_id: "zone", pattern: "dash.example.com/static/*" };
    store.put("route", open);
    expect(table.match(new URL("http://dash.example.com/static/x"))).toEqual(open);
  });

  test("follows changes of the routes", () => {
    const url = new URL("http://late.test/");
    expect(table.match(url)).toBeUndefined();
    putRoute(store, "late.test/*", "late");
    expect(table.match(url)?.script).toBe("late");
    putRoute(store, "late.test/*", "later");
    expect(table.match(url)?.script).toBe("later");
    store.delete("route", "route late.test/*");
    expect(table.match(url)).toBeUndefined();
  });
});
