import { expect, test } from "vitest";
import { isOwnOrigin } from "./own-origin.ts";

test.each([
  ["https://dash.example.test", "https://dash.example.test/clients", true],
  ["https://acme.example.test", "https://dash.example.test/", false],
  ["https://dash.example.test:8443", "https://dash.example.test/", false],
  ["http://dash.example.test", "https://dash.example.test/", false],
  ["null", "https://dash.example.test/", false],
  // TLS ends before the Worker.
  ["https://dash.example.test", "http://dash.example.test/", true],
  ["http://dash.example.test", "http://dash.example.test/", true],
])("a page of %s calls %s: its own is %s", (origin, url, isOwn) => {
  expect(isOwnOrigin(origin, new URL(url))).toBe(isOwn);
});
