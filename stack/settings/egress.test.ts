import { expect, test } from "vitest";
import { SettingsError } from "./faults.ts";
import { checkSettings } from "./settings.ts";

const connections = {
  databaseUrl: "postgres://u:p@127.0.0.1:5432/tenantry",
  restUrl: "http://127.0.0.1/rest/v1",
  serviceRoleKey: "key",
  accessIssuer: "https://team.example",
};
const platform = {
  domain: "agents.example.com",
  accountId: "a".repeat(32),
  zoneId: "b".repeat(32),
  containerImage: "gateway:1",
  rootUsers: ["root@example.com"],
};
const acme = { slug: "acme", name: "Acme", plan: "pro" };
const listing = (...hosts: string[]) => ({ mode: "allowlist", entries: hosts.map((host) => ({ host })) });

test("stores egress policies with hosts as URLs write them", () => {
  const settings = checkSettings(
    {
      platform: { ...platform, egress: { mode: "audit" } },
      partners: [{ slug: "globex", name: "Globex", egress: listing("*.Bücher.example.") }],
      clients: [
        { ...acme, egress: listing("0x5db8d822") },
        { ...acme, slug: "b", egress: null },
        { ...acme, slug: "c" },
      ],
    },
    connections,
  );
  expect(settings.platform?.egress).toEqual({ mode: "audit", entries: [] });
  expect(settings.partners[0]?.egress).toEqual(listing("*.xn--bcher-kva.example"));
  expect(settings.clients.map(({ egress }) => egress)).toEqual([listing("93.184.216.34"), null, undefined]);
});

test.each([
  [
    "one that allows everything",
    { clients: [{ ...acme, egress: listing("*") }] },
    "tenantry:clients[0].egress.entries[0]: * matches hosts of many owners. Name a domain of one owner",
  ],
  [
    "one with a private address",
    { partners: [{ slug: "p", name: "P", egress: listing("a.example.org", "::1") }] },
    "tenantry:partners[0].egress.entries[1]: [::1] is always refused",
  ],
  [
    "one with an unknown mode",
    { platform: { ...platform, egress: { mode: "closed" } } },
    "tenantry:platform.egress.mode: ",
  ],
  [
    "one of the platform that no variable can hold",
    {
      platform: {
        ...platform,
        egress: listing(...Array.from({ length: 200 }, (_, index) => `host-${index}.example.org`)),
      },
    },
    "tenantry:platform.egress: has more than 4500 bytes as JSON, which a Worker's variable cannot hold",
  ],
])("refuses an egress policy: %s", (_, more, fault) => {
  const check = () => checkSettings({ platform, ...more }, connections);
  expect(check).toThrow(SettingsError);
  expect(check).toThrow(fault);
});
