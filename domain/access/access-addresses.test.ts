import { describe, expect, test } from "vitest";
import { addressFault, platformAddresses, tenantAddresses } from "./access-addresses.ts";

const DOMAIN = "agents.example.com";

describe("the addresses of Access applications", () => {
  test("are a tenant's host, and its health path if that has an application of its own", () => {
    expect(tenantAddresses("acme", "production", DOMAIN, "shared")).toEqual(["acme.agents.example.com"]);
    expect(tenantAddresses("acme", "development", DOMAIN, "tenant")).toEqual([
      "acme-dev.agents.example.com",
      "acme-dev.agents.example.com/api/health",
    ]);
    expect(tenantAddresses("acme", "staging", DOMAIN, "tenant")).toEqual([]);
  });

  test("have at most 63 characters", () => {
    const of = (length: number) => ["short", "x".repeat(length)];
    expect(addressFault(of(63))).toBeUndefined();
    expect(addressFault(of(64))).toContain(`at ${"x".repeat(64)} would have 64 characters, and may have 63`);
  });

  test("are the hosts and their public paths in staging", () => {
    expect(addressFault(platformAddresses("staging", "x".repeat(63 - 27), "shared"))).toBeUndefined();
    expect(addressFault(platformAddresses("staging", "x".repeat(63 - 26), "shared"))).toContain("/internal/live");
  });
});
