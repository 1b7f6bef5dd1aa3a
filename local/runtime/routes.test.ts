import { describe, expect, it } from "vitest";
import { matchRoute } from "./routes.ts";

const routes = [
  "*.example.com/*",
  "*example.com/any/*",
  "dash.example.com/*",
  "dash.example.com/api/*",
  "*.example.com/api/health",
  "https://secure.example.com/*",
  "*/everywhere",
].map((pattern) => ({ id: pattern, zone_id: "zone", pattern, script: "worker" }));

describe("the most specific route", () => {
  it.each([
    ["http://acme.example.com/", "*.example.com/*"],
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
    expect(matchRoute(routes, new URL(address))?.pattern).toBe(pattern);
  });

  it("without a script keeps Workers away", () => {
    const open = { id: "open", zone_id: "zone", pattern: "dash.example.com/static/*" };
    expect(matchRoute([...routes, open], new URL("http://dash.example.com/static/x"))).toEqual(open);
  });
});
