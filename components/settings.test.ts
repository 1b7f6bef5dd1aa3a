import { describe, expect, it } from "vitest";
import type { Connections } from "./connections.ts";
import { checkSettings } from "./settings.ts";
import { SettingsError } from "./settings-faults.ts";

const connections: Connections = {
  databaseUrl: "postgres://u:p@127.0.0.1:5432/tenantry",
  restUrl: "http://127.0.0.1/rest/v1",
  serviceRoleKey: "key",
  accessIssuer: "https://team.example",
};
const hex = (digit: string) => digit.repeat(32);
const platform = {
  domain: "agents.example.com",
  accountId: hex("a"),
  zoneId: hex("b"),
  containerImage: "gateway:1",
  rootUsers: ["root@example.com"],
};

function faultsOf(raw: unknown, given = connections): readonly string[] {
  try {
    checkSettings(raw, given);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
}

describe("checkSettings", () => {
  it("fills in every default", () => {
    const settings = checkSettings({ platform, clients: [{ slug: "acme", name: "Acme", plan: "pro" }] }, connections);
    expect(settings).toMatchObject({
      environment: "production",
      backupBeforeRedeploy: true,
      platform: { createDedicatedAiGateways: true, backupRetentionDays: 365, aiGateways: [], pii: { action: "FLAG" } },
      partners: [],
      clients: [{ slug: "acme", status: "active", instances: [{}] }],
    });
  });

  it.each([
    [
      "an unknown plan",
      { clients: [{ slug: "a", name: "A", plan: "gold" }] },
      'tenantry:clients[0].plan: unknown plan "gold"; use one of free, basic, pro, enterprise',
    ],
    ["a missing plan", { clients: [{ slug: "a", name: "A" }] }, "tenantry:clients[0].plan: is missing; use one of"],
    [
      "a reserved slug",
      { clients: [{ slug: "dash", name: "A", plan: "pro" }] },
      'tenantry:clients[0].slug: slug "dash" is reserved',
    ],
    [
      "a malformed slug",
      { clients: [{ slug: "A_b", name: "A", plan: "pro" }] },
      'tenantry:clients[0].slug: slug "A_b" is not a DNS label',
    ],
    [
      "a slug declared twice",
      {
        clients: [
          { slug: "a", name: "A", plan: "pro" },
          { slug: "a", name: "B", plan: "pro" },
        ],
      },
      'tenantry:clients[1].slug: "a" is declared already by tenantry:clients[0]',
    ],
    [
      "an unknown partner",
      { clients: [{ slug: "a", name: "A", plan: "pro", partner: "nobody" }] },
      'tenantry:clients[0].partner: unknown partner "nobody"',
    ],
    [
      "more than one instance",
      { clients: [{ slug: "a", name: "A", plan: "pro", instances: [{}, {}] }] },
      "tenantry:clients[0].instances: a client has exactly one instance, not 2",
    ],
    [
      "a misspelt setting",
      { clients: [{ slug: "a", name: "A", plan: "pro", plna: 1 }] },
      'tenantry:clients[0]: unknown setting "plna"',
    ],
    ["an unknown environment", { environment: "live" }, 'tenantry:environment: unknown environment "live"'],
    ["two platforms", { platformStack: "prod" }, "tenantry:platformStack:"],
  ])("points at %s and says what to do", (_, raw, fault) => {
    expect(faultsOf({ platform, ...raw }).join("\n")).toContain(fault);
  });

  it("reports all faults of all parts together", () => {
    const faults = faultsOf({
      platform: { ...platform, domain: "Not A Domain", rootUsers: [] },
      clients: [
        { slug: "dash", name: "A", plan: "gold", partner: "nobody" },
        { slug: "x", name: "", plan: "pro" },
        { slug: "x", name: "B", plan: "pro" },
      ],
    });
    expect(faults).toHaveLength(7);
    expect(faults.every((fault) => /^tenantry:[\w.[\]]+: .+/.test(fault))).toBe(true);
  });

  it("demands a platform or the stack that holds one", () => {
    expect(faultsOf({}).join()).toContain("tenantry:platform: is missing");
    expect(faultsOf({ platformStack: "prod" }, { ...connections, databaseUrl: undefined })).toEqual([]);
  });

  it("names the environment variable that may stand in for a missing connection, and shows no value", () => {
    const faults = faultsOf({ platform }, { ...connections, serviceRoleKey: undefined });
    expect(faults).toEqual([
      "tenantry:serviceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_SERVICE_ROLE_KEY",
    ]);
  });

  it("takes an API key of staging's REST layer only with that layer", () => {
    expect(faultsOf({ platform }, { ...connections, restApiKey: "key" })).toEqual([]);
    expect(faultsOf({ platform }, { ...connections, stagingRestApiKey: "key" })).toEqual([
      "tenantry:stagingRestUrl: is missing; set it in the stack's configuration or as TENANTRY_STAGING_REST_URL",
      "tenantry:stagingServiceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_STAGING_SERVICE_ROLE_KEY",
    ]);
  });

  it("takes staging's REST layer only with its key", () => {
    expect(faultsOf({ platform }, { ...connections, stagingRestUrl: "https://staging.example/rest/v1" })).toEqual([
      "tenantry:stagingServiceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_STAGING_SERVICE_ROLE_KEY",
    ]);
  });
});
