import { describe, expect, test } from "vitest";
import type { Connections } from "./connections.ts";
import { refuseLongAddresses, SettingsError } from "./faults.ts";
import { checkSettings } from "./settings.ts";

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

const window = {
  slug: "a",
  name: "A",
  plan: "pro",
  maintenanceWindow: { days: [6, 7], start: "02:00", hours: 4, timeZone: "Europe/Berlin" },
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
  test("fills in every default", () => {
    const settings = checkSettings({ platform, clients: [{ slug: "acme", name: "Acme", plan: "pro" }] }, connections);
    expect(settings).toMatchObject({
      environment: "production",
      backupBeforeRedeploy: true,
      platform: {
        createDedicatedAiGateways: true,
        backupRetentionDays: 365,
        aiGateways: [],
        pii: { action: "FLAG" },
        defaultModel: "openai/gpt-5-mini",
      },
      partners: [],
      clients: [{ slug: "acme", status: "active", instances: [{}] }],
    });
  });

  test("accepts a client's canary flag and maintenance window, without defaults", () => {
    const clientOf = (more: object) => {
      const [client] = checkSettings({ platform, clients: [{ ...window, ...more }] }, connections).clients;
      return client;
    };
    expect(clientOf({ canary: true })).toMatchObject({ canary: true, maintenanceWindow: window.maintenanceWindow });
    expect(clientOf({ maintenanceWindow: null })).toMatchObject({ maintenanceWindow: null });
    const bare = clientOf({ maintenanceWindow: undefined });
    expect([bare?.canary, bare?.maintenanceWindow]).toEqual([undefined, undefined]);
  });

  test("accepts the name of one platform's stack, or several in order", () => {
    const named = (platformStack: unknown) => checkSettings({ platformStack }, connections);
    expect(named("prod")).toMatchObject({ platformStacks: ["prod"] });
    expect(named(["organization/tenantry/prod", "eu"])).toMatchObject({
      platformStacks: ["organization/tenantry/prod", "eu"],
    });
  });

  test.each([
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
      "a maintenance window without its length",
      { clients: [{ slug: "a", name: "A", plan: "pro", maintenanceWindow: { days: [6], start: "02:00" } }] },
      "tenantry:clients[0].maintenanceWindow.hours: is missing; set it to a number",
    ],
    [
      "a maintenance window at no time of day",
      { clients: [{ ...window, maintenanceWindow: { ...window.maintenanceWindow, start: "2:00" } }] },
      "tenantry:clients[0].maintenanceWindow.start: use a time of day as HH:MM, such as 02:30",
    ],
    [
      "a maintenance window in no time zone",
      { clients: [{ ...window, maintenanceWindow: { ...window.maintenanceWindow, timeZone: "Europe/Nowhere" } }] },
      "tenantry:clients[0].maintenanceWindow.timeZone: use the name of a time zone, such as Europe/Berlin",
    ],
    [
      "a day of the week that is named twice",
      { clients: [{ ...window, maintenanceWindow: { ...window.maintenanceWindow, days: [6, 6] } }] },
      "tenantry:clients[0].maintenanceWindow.days: names a day twice; remove one of the two",
    ],
    [
      "a misspelt setting",
      { clients: [{ slug: "a", name: "A", plan: "pro", plna: 1 }] },
      'tenantry:clients[0]: unknown setting "plna"',
    ],
    ["an unknown environment", { environment: "live" }, 'tenantry:environment: unknown environment "live"'],
    [
      "an unknown size of containers",
      { platform: { ...platform, containers: { free: "standard" } } },
      'tenantry:platform.containers.free: unknown instance type "standard"; use one of lite, basic, standard-1, standard-2, standard-3, standard-4',
    ],
    [
      "a size for an unknown plan",
      { platform: { ...platform, containers: { gold: "basic" } } },
      'tenantry:platform.containers: unknown setting "gold"',
    ],
    [
      "a gateway that fits nowhere",
      { platform: { ...platform, gatewayMemoryMiB: 16_384 } },
      "tenantry:platform.gatewayMemoryMiB: the largest instance type has 12288 MiB; use at most that",
    ],
    [
      "a model without its provider",
      { platform: { ...platform, defaultModel: "gpt-5-mini" } },
      "tenantry:platform.defaultModel: use provider/model, such as openai/gpt-5-mini",
    ],
    ["two platforms", { platformStack: "prod" }, "tenantry:platformStack:"],
    [
      "a name of no stack among several",
      { platform: undefined, platformStack: ["prod", "e u"] },
      "tenantry:platformStack[1]: use stack, project/stack or organization/project/stack",
    ],
    [
      "a stack that is named twice",
      { platform: undefined, platformStack: ["prod", "prod"] },
      "tenantry:platformStack: names a stack twice; remove one of the two",
    ],
    ["no stack", { platform: undefined, platformStack: [] }, "tenantry:platformStack: is an empty list; name a stack"],
    [
      "what names no stack",
      { platform: undefined, platformStack: 7 },
      "tenantry:platformStack: use stack, project/stack or organization/project/stack, or a list of 1 to 50 such names",
    ],
    [
      "several platforms of a dashboard's tenants",
      { platform: undefined, platformStack: ["prod", "eu"], managedBy: "dashboard" },
      "tenantry:platformStack: a dashboard's tenants are of its own platform; name that one stack",
    ],
  ])("names %s and the remedy", (_, raw, fault) => {
    expect(faultsOf({ platform, ...raw }).join("\n")).toContain(fault);
  });

  const long = "a".repeat(45);

  test.each([
    [
      "a tenant's host too long for an Access application",
      { clients: [{ slug: long, name: "A", plan: "pro" }] },
      [
        `tenantry:clients[0].slug: an Access application at ${long}.agents.example.com would have 64 characters, and may have 63; choose a shorter slug`,
      ],
    ],
    [
      "a health application too long, where tenants have one each",
      {
        platform: { ...platform, healthApplication: "tenant" },
        clients: [
          { slug: "a".repeat(34), name: "A", plan: "pro" },
          { slug: "a".repeat(33), name: "B", plan: "pro" },
        ],
      },
      [
        `tenantry:clients[0].slug: an Access application at ${"a".repeat(34)}.agents.example.com/api/health would have 64 characters, and may have 63; choose a shorter slug, or platform.healthApplication: shared`,
      ],
    ],
    [
      "a domain too long for the platform's own, and that alone",
      {
        platform: { ...platform, domain: `${"d".repeat(50)}.example.com` },
        clients: [{ slug: long, name: "A", plan: "pro" }],
      },
      [
        `tenantry:platform.domain: an Access application at dash.${"d".repeat(50)}.example.com/internal/live would have 81 characters, and may have 63; use a shorter domain`,
      ],
    ],
    [
      "more root users than a group takes",
      { platform: { ...platform, rootUsers: Array.from({ length: 1000 }, (_, index) => `root-${index}@example.com`) } },
      [
        "tenantry:platform.rootUsers: an Access group holds 1,000 rules; name at most 999, and make others users of tenants",
      ],
    ],
  ])("refuses %s", (_, raw, faults) => {
    expect(faultsOf({ platform, ...raw })).toEqual(faults);
  });

  test("accepts a tenant's host that just fits, and any in staging, where tenants have no application", () => {
    expect(faultsOf({ platform, clients: [{ slug: "a".repeat(44), name: "A", plan: "pro" }] })).toEqual([]);
    expect(faultsOf({ environment: "staging", platform, clients: [{ slug: long, name: "A", plan: "pro" }] })).toEqual(
      [],
    );
  });

  test("rejects too long addresses of another stack's platform when it is known", () => {
    const on = { environment: "production", domain: "agents.example.com", healthApplication: "tenant" } as const;
    expect(() => refuseLongAddresses([{ slug: "acme" }], on)).not.toThrow();
    expect(() => refuseLongAddresses([{ slug: "acme" }, { slug: long }], on)).toThrow(
      /clients\[1\]\.slug: .* would have 75 characters.*; choose a shorter slug, or platform\.healthApplication: shared/,
    );
  });

  test("accepts sizes of any plans, with the defaults of the others", () => {
    const settings = checkSettings({ platform: { ...platform, containers: { free: "basic" } } }, connections);
    expect(settings.platform).toMatchObject({
      containers: { free: "basic", basic: "standard-1", pro: "standard-2", enterprise: "standard-3" },
      gatewayMemoryMiB: 1_024,
    });
  });

  test("fills in the vendor's limits by default", () => {
    const settings = checkSettings({ platform: { ...platform, limits: { accessGroups: 1_000 } } }, connections);
    expect(settings.platform?.limits).toEqual({
      accessApplications: 500,
      accessGroups: 1_000,
      accessPolicies: 500,
      apiTokens: 500,
      aiGateways: 20,
    });
  });

  test("accepts models of providers with folders", () => {
    const defaultModel = "workers-ai/@cf/meta/llama-3.3-70b-instruct-fp8-fast";
    expect(faultsOf({ platform: { ...platform, defaultModel } })).toEqual([]);
  });

  test("accepts provider keys, and shows none in a refusal", () => {
    const providerKeys = { openai: "sk-1", "google-ai-studio": "sk-2" };
    expect(checkSettings({ platform, providerKeys }, connections)).toMatchObject({ providerKeys });
    expect(checkSettings({ platform }, connections).providerKeys).toBeUndefined();
    expect(faultsOf({ platform, providerKeys: { "SK-1": "openai" } })).toEqual([
      "tenantry:providerKeys: name each provider by lower-case letters, digits and hyphens, such as openai",
    ]);
    const [fault = ""] = faultsOf({ platform, providerKeys: { openai: ["sk-1"] } });
    expect(fault).toMatch(/^tenantry:providerKeys\.openai: /);
    expect(fault).not.toContain("sk-1");
  });

  test("reports all faults of all parts together", () => {
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

  test("requires a platform or the stack of one", () => {
    expect(faultsOf({}).join()).toContain("tenantry:platform: is missing");
    expect(faultsOf({ platformStack: "prod" }, { ...connections, databaseUrl: undefined })).toEqual([]);
  });

  test("names the environment variable for a missing connection, and shows no value", () => {
    const faults = faultsOf({ platform }, { ...connections, serviceRoleKey: undefined });
    expect(faults).toEqual([
      "tenantry:serviceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_SERVICE_ROLE_KEY",
    ]);
  });

  test("accepts an API key of staging's REST layer only with that layer", () => {
    expect(faultsOf({ platform }, { ...connections, restApiKey: "key" })).toEqual([]);
    expect(faultsOf({ platform }, { ...connections, stagingRestApiKey: "key" })).toEqual([
      "tenantry:stagingRestUrl: is missing; set it in the stack's configuration or as TENANTRY_STAGING_REST_URL",
      "tenantry:stagingServiceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_STAGING_SERVICE_ROLE_KEY",
    ]);
  });

  test("accepts staging's REST layer only with its key", () => {
    expect(faultsOf({ platform }, { ...connections, stagingRestUrl: "https://staging.example/rest/v1" })).toEqual([
      "tenantry:stagingServiceRoleKey: is missing; set it in the stack's configuration or as TENANTRY_STAGING_SERVICE_ROLE_KEY",
    ]);
  });
});
