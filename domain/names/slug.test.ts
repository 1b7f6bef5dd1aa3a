import { describe, expect, test } from "vitest";
import { labelFault, newSlugFault, slugFault } from "./slug.ts";

describe("slugFault", () => {
  test.each([
    ["", "empty"],
    ["a".repeat(60), "60 characters"],
    ["Acme", "DNS label"],
    ["-acme", "DNS label"],
    ["acme-", "DNS label"],
    ["a.b", "DNS label"],
    ["a_b", "DNS label"],
    ["é", "DNS label"],
    ["xn--nxasmq6b", "punycode"],
    ["dash", "reserved"],
    ["dev-dash", "reserved"],
    ["staging-dash", "reserved"],
    ["acme-dev", "-dev"],
    ["acme-staging", "-staging"],
  ])("refuses %j, saying why", (value, reason) => {
    expect(slugFault(value)).toContain(reason);
  });

  test.each(["a", "7", "acme", "dashboard", "dev", "a--b", "a".repeat(59)])("accepts %j", (value) => {
    expect(slugFault(value)).toBeUndefined();
  });
});

test("leaves room for the environment's suffix", () => {
  expect(labelFault("a".repeat(59), "development")).toBeUndefined();
  expect(labelFault("a".repeat(55), "staging")).toBeUndefined();
  expect(labelFault("a".repeat(56), "staging")).toContain("at most 55 in staging");
});

test("reserves the doors' label for new tenants only", () => {
  expect(newSlugFault("hooks")).toContain("reserved for webhooks");
  expect(slugFault("hooks")).toBeUndefined();
  expect(newSlugFault("hooks-2")).toBeUndefined();
  expect(newSlugFault("dash")).toContain("reserved");
});
