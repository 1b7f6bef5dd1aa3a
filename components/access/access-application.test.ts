import { describe, expect, test } from "vitest";
import { declare, only, resolved } from "../testing/declared.ts";
import { AccessApplication } from "./access-application.ts";

const args = { accountId: "account", displayName: "Tenant acme", hostname: "acme.example.com" };

describe("AccessApplication", () => {
  test("protects the hostname with one policy for one group, whose members are data", async () => {
    const { declared, result } = await declare(() => new AccessApplication("acme", { ...args, groups: ["roots"] }));
    expect(only(declared, "ZeroTrustAccessApplication").inputs).toMatchObject({
      domain: "acme.example.com",
      policies: [{ id: "id-of-acme", precedence: 1 }],
    });
    expect(only(declared, "ZeroTrustAccessPolicy").inputs).toMatchObject({
      decision: "allow",
      includes: [{ group: { id: "group-of-acme" } }],
    });
    expect(only(declared, "MemberGroup").inputs).toEqual({
      accountId: "account",
      name: "Members of acme.example.com",
      groups: ["roots"],
    });
    expect(await resolved(result.audience)).toBe("aud-of-acme");
    expect(declared.filter(({ type }) => /List|AccessGroup/.test(type))).toEqual([]);
  });

  test("admits service tokens of the group too, by a policy without a login, if it is for services", async () => {
    const { declared } = await declare(
      () => new AccessApplication("acme", { ...args, groups: ["roots"], services: true }),
    );
    expect(only(declared, "ZeroTrustAccessApplication").inputs.policies).toEqual([
      { id: "id-of-acme", precedence: 1 },
      { id: "id-of-acme.services", precedence: 2 },
    ]);
    expect(only(declared, "ZeroTrustAccessPolicy", "acme.services").inputs).toEqual({
      accountId: "account",
      name: "Tenant acme: service tokens",
      decision: "non_identity",
      includes: [{ group: { id: "group-of-acme" } }],
    });
    expect(declared.filter(({ type }) => type.endsWith(":MemberGroup"))).toHaveLength(1);
  });

  test("has a group of only the given groups without members of its own", async () => {
    const { declared } = await declare(
      () => new AccessApplication("tenants", { ...args, members: false, groups: ["roots"] }),
    );
    expect(only(declared, "ZeroTrustAccessGroup").inputs).toMatchObject({
      name: "Tenant acme",
      includes: [{ group: { id: "roots" } }],
    });
    expect(declared.filter(({ type }) => /List|MemberGroup/.test(type))).toEqual([]);
  });

  test("opens only the public path, by the given policy", async () => {
    const open = { paths: ["/api/health"], policyId: "public" };
    const { declared } = await declare(() => new AccessApplication("acme", { ...args, open }));
    expect(only(declared, "ZeroTrustAccessApplication", "acme.public-api-health").inputs).toMatchObject({
      domain: "acme.example.com/api/health",
      policies: [{ id: "public" }],
    });
    expect(only(declared, "ZeroTrustAccessApplication", "acme").inputs.policies).not.toContainEqual(
      expect.objectContaining({ id: "public" }),
    );
    expect(JSON.stringify(declared)).not.toContain("everyone");
  });
});
