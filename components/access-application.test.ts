import { describe, expect, it } from "vitest";
import { AccessApplication } from "./access-application.ts";
import { declare, only, resolved } from "./testing.ts";

const args = { accountId: "account", displayName: "Tenant acme", hostname: "acme.example.com" };

describe("AccessApplication", () => {
  it("guards the hostname with one policy that allows one group, which includes the list", async () => {
    const { declared, result } = await declare(() => new AccessApplication("acme", { ...args, groups: ["roots"] }));
    expect(only(declared, "ZeroTrustAccessApplication").inputs).toMatchObject({
      domain: "acme.example.com",
      policies: [{ id: "id-of-acme", precedence: 1 }],
    });
    expect(only(declared, "ZeroTrustAccessPolicy").inputs).toMatchObject({
      decision: "allow",
      includes: [{ group: { id: "id-of-acme" } }],
    });
    expect(only(declared, "ZeroTrustAccessGroup").inputs.includes).toEqual([
      { emailList: { id: "id-of-acme" } },
      { group: { id: "roots" } },
    ]);
    expect(await resolved(result.audience)).toBe("aud-of-acme");
  });

  it("leaves the list's items to the dashboard unless it is given members", async () => {
    const open = await declare(() => new AccessApplication("acme", args));
    expect(only(open.declared, "ZeroTrustList").inputs).not.toHaveProperty("items");
    const closed = await declare(() => new AccessApplication("acme", { ...args, members: ["a@example.com"] }));
    expect(only(closed.declared, "ZeroTrustList").inputs.items).toEqual([{ value: "a@example.com" }]);
  });

  it("opens a public path and nothing else to everyone", async () => {
    const { declared } = await declare(() => new AccessApplication("acme", { ...args, publicPaths: ["/api/health"] }));
    const open = only(declared, "ZeroTrustAccessApplication", "acme-public-api-health");
    expect(open.inputs).toMatchObject({
      domain: "acme.example.com/api/health",
      policies: [{ id: "id-of-acme-public" }],
    });
    const everyone = declared.filter(({ inputs }) => JSON.stringify(inputs).includes("everyone"));
    expect(everyone.map(({ name }) => name)).toEqual(["acme-public"]);
  });
});
