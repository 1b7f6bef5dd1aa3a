import * as cloudflare from "@pulumi/cloudflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AccessApplication } from "#components/access/access-application.ts";
import { publicApplication } from "#components/access/public-application.ts";
import { accountId, declarePlatform } from "./testing/declarations.ts";
import { type Pack, startPack } from "./testing/pack.ts";

let pack: Pack;
beforeAll(async () => {
  pack = await startPack();
});
afterAll(() => pack.close());

describe("access-for-everyone", () => {
  test.each([
    ["allows everyone", { decision: "allow", includes: [{ everyone: {} }] }],
    ["bypasses the login", { decision: "bypass", includes: [{ group: { id: "g" } }] }],
  ])("refuses a policy that %s, even one with the name of the platform's own", async (way, policy) => {
    const args = { accountId, name: "Tenantry public paths", ...policy };
    const found = await pack.judge(() => new cloudflare.ZeroTrustAccessPolicy("public", args));
    expect(found).toEqual([
      {
        rule: "access-for-everyone",
        level: "mandatory",
        resource: "public",
        message: `The Access policy public ${way}. Allow a group instead.`,
      },
    ]);
  });

  test("refuses a group of everyone, and such a policy in an application", async () => {
    const found = await pack.judge(() => {
      new cloudflare.ZeroTrustAccessGroup("all", { accountId, name: "All", includes: [{ everyone: {} }] });
      const policies = [{ name: "x", decision: "allow", includes: [{ everyone: {} }] }];
      new cloudflare.ZeroTrustAccessApplication("open", { accountId, type: "self_hosted", domain: "x.com", policies });
    });
    expect(found).toContainEqual(
      expect.objectContaining({ message: "The Access group all includes everyone. Include its members instead." }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        rule: "access-for-everyone",
        message: "The Access application open has a policy that allows everyone. Allow a group instead.",
      }),
    );
  });
});

describe("group-only-access", () => {
  const host = "acme.agents.example.com";
  const application = (policyId: cloudflare.ZeroTrustAccessPolicy["id"] | string, domain = host) =>
    publicApplication(domain, { accountId, displayName: "Acme", address: domain, policyId }, {});

  test.each([
    ["an address beside the group", [{ group: { id: "g" } }, { email: { email: "a@example.com" } }]],
    ["a domain of addresses", [{ emailDomain: { domain: "example.com" } }]],
    ["every service token of the account", [{ anyValidServiceToken: {} }], "non_identity"],
    ["a service token", [{ serviceToken: { tokenId: "t" } }], "non_identity"],
  ])("refuses a policy that allows %s", async (_what, includes, decision = "allow") => {
    const found = await pack.judge(() => {
      const args = { accountId, name: "Some", decision, includes };
      application(new cloudflare.ZeroTrustAccessPolicy("some", args).id);
    });
    expect(found).toEqual([
      {
        rule: "group-only-access",
        level: "mandatory",
        resource: host,
        message: `${host} has the policy some, which does not allow only groups. Use it for public paths only.`,
      },
    ]);
  });

  test("accepts the platform's public policy only at public paths", async () => {
    const refused = [host, `${host}/api`, `${host}/logos`, `${host}/_backup`, "hooks.agents.example.com"];
    const taken = [
      `${host}/api/health`,
      "dash.agents.example.com/logos",
      "*-staging.agents.example.com/_backup",
      "_dispatch-staging.agents.example.com",
      "hooks-staging.agents.example.com",
    ];
    const found = await pack.judge(() => {
      const { outputs } = declarePlatform();
      for (const address of [...refused, ...taken]) application(outputs.publicPolicyId, address);
    });
    const why = "has the policy public, which does not allow only groups. Use it for public paths only.";
    expect(found.map(({ message }) => message)).toEqual(refused.map((address) => `${address} ${why}`));
  });

  test("refuses undeclared policies, and an application without policies", async () => {
    const foreign = await pack.judge(() => application("policy-of-somebody"));
    expect(foreign.map(({ message }) => message)).toEqual([
      `${host} has policies that this stack does not declare. Declare one that allows a group.`,
    ]);
    const none = await pack.judge(
      () =>
        new cloudflare.ZeroTrustAccessApplication("acme", { accountId, type: "self_hosted", domain: host, name: "A" }),
    );
    expect(none.map(({ message }) => message)).toEqual([`${host} has no policy. Declare one that allows a group.`]);
  });

  test("accepts the component's application", async () => {
    const args = { accountId, displayName: "Tenant acme", hostname: host, groups: ["roots"], services: true };
    expect(await pack.judge(() => new AccessApplication("acme", args))).toEqual([]);
  });
});
