import { describe, expect, test } from "vitest";
import { healthApplications } from "#domain/access/access-addresses.ts";
import type { Environment } from "#domain/environment.ts";
import { DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE, platformUse } from "#domain/plans/account-limits.ts";
import { PLAN_AI_SPEND } from "#domain/plans/plan.ts";
import type { Rotation } from "#domain/rotation.ts";
import { Platform, type PlatformArgs } from "./platform.ts";
import { declare, only, resolved } from "./testing/declared.ts";
import { fakePlatform, fakePlatformArgs } from "./testing/fakes.ts";

const deploy = (environment: Environment = "production", more: Partial<PlatformArgs> = {}) =>
  declare(() => new Platform("platform", fakePlatformArgs(environment, more)));

describe("Platform", () => {
  test("puts the dispatch Worker on the wildcard and the dashboard on its own, more specific route", async () => {
    const { declared } = await deploy();
    expect(only(declared, "WorkersRoute", "wildcard").inputs).toMatchObject({
      pattern: "*.agents.example.com/*",
      script: "tenantry-dispatch",
    });
    expect(only(declared, "WorkersRoute", "dashboard").inputs).toMatchObject({
      pattern: "dash.agents.example.com/*",
      script: "tenantry-dashboard",
    });
    // Complete, because the vendor's defaults would show as drift. Addresses of the dashboard can contain invitations.
    for (const [script, invocationLogs] of [
      ["dispatch", true],
      ["dashboard", false],
    ] as const) {
      const { observability } = only(declared, "WorkersScript", script).inputs;
      const logs = { enabled: true, invocationLogs, headSamplingRate: 1 };
      expect(observability).toMatchObject({ headSamplingRate: 1, logs });
    }
    expect(only(declared, "DnsRecord").inputs).toMatchObject({ name: "*.agents.example.com", proxied: true });
    expect(only(declared, "WorkersCronTrigger").inputs.schedules).toEqual([{ cron: "* * * * *" }]);
    // A cached list would not show a change for a minute.
    expect(only(declared, "HyperdriveConfig").inputs.caching).toEqual({ disabled: true });
    expect(only(declared, "QueueConsumer").inputs).toMatchObject({ scriptName: "tenantry-dispatch", type: "worker" });
  });

  test("runs the dashboard's Worker before its pages, except for files that they load", async () => {
    const { declared } = await deploy();
    const { assets, bindings } = only(declared, "WorkersScript", "dashboard").inputs;
    expect(assets).toMatchObject({
      directory: "components/resources",
      config: { runWorkerFirst: ["/*", "!/console/-/*"], htmlHandling: "none", notFoundHandling: "none" },
    });
    expect((bindings as { value: unknown }).value).toContainEqual({ name: "ASSETS", type: "assets" });
  });

  test("gives the dashboard of each environment its own bucket for logos", async () => {
    for (const [environment, name] of [
      ["production", "tenantry-logos"],
      ["development", "tenantry-logos-dev"],
    ] as const) {
      const { declared } = await deploy(environment);
      expect(only(declared, "R2Bucket", "logos").inputs.name).toBe(name);
      // A secret as a whole, because some bindings are secrets.
      const { value } = only(declared, "WorkersScript", "dashboard").inputs.bindings as { value: unknown };
      expect(value).toContainEqual({ name: "LOGOS", type: "r2_bucket", bucketName: name });
    }
  });

  test("protects the dashboard with a group of its members, who are data, and of the root users", async () => {
    for (const [environment, host] of [
      ["production", "dash"],
      ["staging", "staging-dash"],
    ] as const) {
      const { declared } = await deploy(environment);
      expect(only(declared, "ZeroTrustAccessPolicy", "dashboard").inputs).toMatchObject({
        decision: "allow",
        includes: [{ group: { id: "group-of-dashboard" } }],
      });
      expect(only(declared, "MemberGroup", "dashboard").inputs).toMatchObject({
        name: `Members of ${host}.agents.example.com`,
        groups: ["group-of-root-users"],
      });
      expect(only(declared, "MemberGroup", "root-users").inputs).toMatchObject({
        name: `Root users of ${host}.agents.example.com`,
        groups: ["id-of-named"],
      });
    }
  });

  test("declares each root user once, with a row", async () => {
    const { declared } = await deploy();
    expect(only(declared, "ZeroTrustAccessGroup").inputs).toMatchObject({
      name: "Platform root users",
      includes: [{ email: { email: "root@example.com" } }],
    });
    expect(only(declared, "DatabaseRecord", "root-root@example.com").inputs).toMatchObject({
      key: { email: "root@example.com" },
      values: { role: "ROOT" },
    });
  });

  test("stores the account's limits and the needs of a tenant in the database", async () => {
    const shape = { healthApplication: "tenant", bucketCredentials: true } as const;
    const limits = { ...DEFAULT_ACCOUNT_LIMITS, accessGroups: 9 };
    const { declared } = await deploy("development", { ...shape, limits });
    expect(only(declared, "DatabaseRecord", "account-limits").inputs).toMatchObject({
      table: "tenantry.account_limits",
      key: { environment: "development" },
      values: {
        limits,
        needs: { development: { tenant: { accessApplications: 2, accessGroups: 1, apiTokens: 2 } } },
        // Two containers of the type `basic`.
        containers: { free: { containerMemoryMiB: 2_048, containerVcpu: 0.5 } },
      },
    });
  });

  test("uses the dispatch Worker's address from the connections", async () => {
    const { result } = await deploy("production", { dispatchUrl: "http://_dispatch.agents.example.com:8787/" });
    expect(await resolved(result.outputs)).toMatchObject({ dispatchUrl: "http://_dispatch.agents.example.com:8787" });
  });

  test("uses the AI gateways' address from the connections", async () => {
    const { result } = await deploy("production", { aiGatewayUrl: "http://127.0.0.1:8787/" });
    expect(await resolved(result.outputs)).toMatchObject({ aiGatewayUrl: "http://127.0.0.1:8787" });
  });

  test("outputs only what tenants' stacks need", async () => {
    const { result } = await deploy();
    expect(await resolved(result.outputs)).toEqual({
      version: 1,
      environment: "production",
      domain: "agents.example.com",
      accountId: "a".repeat(32),
      zoneId: "b".repeat(32),
      dispatchUrl: "https://_dispatch.agents.example.com",
      dispatchNamespace: "tenants",
      rootGroupId: "group-of-root-users",
      audience: "aud-of-dashboard",
      publicPolicyId: "id-of-public",
      healthApplication: "shared",
      bucketCredentials: false,
      serviceTokens: true,
      limits: {
        accessApplications: 500,
        accessGroups: 300,
        accessPolicies: 500,
        apiTokens: 500,
        aiGateways: 20,
      },
      containerImage: "gateway:1",
      containers: { free: "basic", basic: "standard-1", pro: "standard-2", enterprise: "standard-3" },
      gatewayMemoryMiB: 900,
      backupRetentionDays: 365,
      createDedicatedAiGateways: true,
      aiGatewayUrl: "https://gateway.ai.cloudflare.com",
      ...{ defaultModel: "openai/gpt-5-mini", egress: { mode: "open", entries: [] } },
      pii: { action: "FLAG", profiles: ["e91a2360-da51-4fdf-9711-bcdecd462614"] },
      aiSpendLimits: PLAN_AI_SPEND,
      permissions: fakePlatform.permissions,
    });
    expect(await resolved(result.databaseUrl)).toContain(
      "tenantry_provisioner:password-of-provisioner-password@db.example.com:6432",
    );
  });

  test("gives the dashboard the platform's stack name for files of tenants", async () => {
    const { declared } = await deploy("production", { stack: "acme/tenantry/eu" });
    const { value } = only(declared, "WorkersScript", "dashboard").inputs.bindings as { value: unknown };
    expect(value).toContainEqual({ name: "PLATFORM_STACK", type: "plain_text", text: "acme/tenantry/eu" });
  });

  test("gives the dispatch Worker staging's REST layer when there is one", async () => {
    const staging = { stagingRestUrl: "https://staging.example/rest/v1", stagingServiceRoleKey: "staging-key" };
    const { declared } = await deploy("staging", staging);
    expect(JSON.stringify(only(declared, "WorkersScript", "dispatch").inputs)).toContain("STAGING_SUPABASE_URL");
    const { declared: without } = await deploy("staging");
    expect(JSON.stringify(only(without, "WorkersScript", "dispatch").inputs)).not.toContain("STAGING_SUPABASE_URL");
  });

  test("gives the dispatch Worker the REST layers' API keys when there are any", async () => {
    const names = async (more: Partial<PlatformArgs>) => {
      const { declared } = await deploy("staging", more);
      return JSON.stringify(only(declared, "WorkersScript", "dispatch").inputs).match(/[A-Z_]*SUPABASE_API_KEY/g) ?? [];
    };
    const staging = { stagingRestUrl: "https://staging.example/rest/v1", stagingServiceRoleKey: "staging-key" };
    expect(await names(staging)).toEqual([]);
    expect(await names({ restApiKey: "project-key", ...staging, stagingRestApiKey: "other-key" })).toEqual([
      "SUPABASE_API_KEY",
      "STAGING_SUPABASE_API_KEY",
    ]);
  });

  test("uses separate names outside production", async () => {
    const { declared, result } = await deploy("development");
    expect(result.dashboardHostname).toBe("dev-dash.agents.example.com");
    expect(only(declared, "WorkersScript", "dispatch").inputs.scriptName).toBe("tenantry-dispatch-dev");
    expect(only(declared, "Role", "dashboard").inputs.name).toBe("tenantry_dashboard_development");
    expect(await resolved(result.outputs)).toMatchObject({ dispatchUrl: "https://_dispatch-dev.agents.example.com" });
  });

  test("routes only its own environment's hosts, and shares no DNS record with another environment", async () => {
    const names = async (environment: Environment) => {
      const { declared } = await deploy(environment);
      const hosts = declared.filter(({ type }) => type.endsWith(":DnsRecord")).map(({ inputs }) => inputs.name);
      return [only(declared, "WorkersRoute", "wildcard").inputs.pattern, ...hosts];
    };
    expect(await names("production")).toEqual(["*.agents.example.com/*", "*.agents.example.com"]);
    expect(await names("development")).toEqual([
      "*-dev.agents.example.com/*",
      "_dispatch-dev.agents.example.com",
      "hooks-dev.agents.example.com",
      "dev-dash.agents.example.com",
    ]);
    expect(await names("staging")).toEqual([
      "*-staging.agents.example.com/*",
      "_dispatch-staging.agents.example.com",
      "hooks-staging.agents.example.com",
      "staging-dash.agents.example.com",
    ]);
  });

  test("declares no host of doors while a tenant has it", async () => {
    for (const environment of ["development", "staging"] as const) {
      const { declared } = await deploy(environment, { doorsHost: false });
      expect(JSON.stringify(declared.map(({ inputs }) => inputs.domain ?? inputs.name))).not.toContain("hooks-");
    }
  });

  test.each(["production", "development", "staging"] as const)(
    "uses in %s the resources that it counts",
    async (environment) => {
      for (const healthApplication of healthApplications) {
        const { declared } = await deploy(environment, { healthApplication, aiGateways: [] });
        const count = (type: string) => declared.filter((one) => one.type.endsWith(`:${type}`)).length;
        expect({
          accessApplications: count("ZeroTrustAccessApplication"),
          accessGroups: count("ZeroTrustAccessGroup") + count("MemberGroup"),
          accessPolicies: count("ZeroTrustAccessPolicy"),
          apiTokens: count("AccountToken"),
          aiGateways: count("AiGateway"),
        }).toEqual(platformUse(environment, { ...DEFAULT_TENANT_SHAPE, healthApplication }));
      }
    },
  );

  const applications = async (environment: Environment, more: Partial<PlatformArgs> = {}) => {
    const { declared } = await deploy(environment, more);
    const everyone = declared.filter(({ inputs }) => JSON.stringify(inputs).includes("everyone"));
    expect(everyone.map(({ name, inputs }) => [name, inputs.decision])).toEqual([["public", "bypass"]]);
    return declared
      .filter(({ type }) => type.endsWith(":ZeroTrustAccessApplication"))
      .map(({ inputs: { domain, policies } }) => [domain, JSON.stringify(policies).includes("id-of-public")])
      .toSorted(([a], [b]) => String(b).localeCompare(String(a)));
  };

  test("opens the health path of its environment's hosts by one application when tenants have none", async () => {
    expect(await applications("production")).toEqual([
      ["dash.agents.example.com/logos", true],
      ["dash.agents.example.com/invitations", true],
      ["dash.agents.example.com/internal/live", true],
      ["dash.agents.example.com/console", true],
      ["dash.agents.example.com", false],
      ["*.agents.example.com/api/health", true],
    ]);
    expect(await applications("development")).toEqual([
      ["dev-dash.agents.example.com/logos", true],
      ["dev-dash.agents.example.com/invitations", true],
      ["dev-dash.agents.example.com/internal/live", true],
      ["dev-dash.agents.example.com/console", true],
      ["dev-dash.agents.example.com", false],
      ["*-dev.agents.example.com/api/health", true],
    ]);
    expect(await applications("production", { healthApplication: "tenant" })).toEqual([
      ["dash.agents.example.com/logos", true],
      ["dash.agents.example.com/invitations", true],
      ["dash.agents.example.com/internal/live", true],
      ["dash.agents.example.com/console", true],
      ["dash.agents.example.com", false],
    ]);
  });

  test("opens only health, the platform's own requests and the doors in staging", async () => {
    expect(await applications("staging")).toEqual([
      ["staging-dash.agents.example.com/logos", true],
      ["staging-dash.agents.example.com/invitations", true],
      ["staging-dash.agents.example.com/internal/live", true],
      ["staging-dash.agents.example.com/console", true],
      ["staging-dash.agents.example.com", false],
      // Vendors have no login; the dispatch Worker verifies their signatures.
      ["hooks-staging.agents.example.com", true],
      ["*-staging.agents.example.com/api/health", true],
      ["*-staging.agents.example.com/_invalidate", true],
      ["*-staging.agents.example.com/_backup", true],
      ["*-staging.agents.example.com", false],
      // Every order of the platform, such as restarts: Access would ask them for a login.
      ["_dispatch-staging.agents.example.com", true],
    ]);
  });

  test("creates the class for live events before the dashboard's script, and gives it a secret token", async () => {
    const { declared, result } = await deploy("development");
    expect(only(declared, "ObjectClasses").inputs).toMatchObject({
      scriptName: "tenantry-dashboard-dev",
      sqliteClasses: ["Live"],
    });
    const names = declared.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`);
    expect(names.indexOf("ObjectClasses dashboard")).toBeLessThan(names.indexOf("WorkersScript dashboard"));
    const { migrations, bindings } = only(declared, "WorkersScript", "dashboard").inputs;
    expect(migrations).toBeUndefined();
    expect(JSON.stringify(bindings)).toContain('"className":"Live"');
    expect(await resolved(result.liveToken)).toBe("password-of-live-token");
  });

  test("binds the doors' key to dispatch and dashboard, during a rotation also its other version", async () => {
    const keys = async (rotation?: Rotation) => {
      const { declared } = await deploy("development", { rotations: { doorsKey: rotation } });
      return ["dispatch", "dashboard"].map((name) => {
        const { value } = only(declared, "WorkersScript", name).inputs.bindings as {
          value: { name: string; text?: string }[];
        };
        const texts = new Map(value.map((one) => [one.name, one.text]));
        return [texts.get("DOORS_KEY"), texts.get("OTHER_DOORS_KEY")];
      });
    };
    const [old, next] = ["password-of-doors-key", "password-of-doors-key-b"];
    expect(await keys()).toEqual([
      [old, undefined],
      [old, undefined],
    ]);
    expect(await keys({ version: 2, step: "prepare" })).toEqual([
      [old, next],
      [old, next],
    ]);
    expect(await keys({ version: 2, step: "switch" })).toEqual([
      [next, old],
      [next, old],
    ]);
    expect(await keys({ version: 2, step: "done" })).toEqual([
      [next, undefined],
      [next, undefined],
    ]);
  });

  test("protects all hosts of staging with one application for root users, whose audience the dispatch Worker requires", async () => {
    const { declared, result } = await deploy("staging");
    expect(only(declared, "ZeroTrustAccessApplication", "tenants").inputs.domain).toBe("*-staging.agents.example.com");
    expect(only(declared, "ZeroTrustAccessGroup", "tenants").inputs.includes).toEqual([
      { group: { id: "group-of-root-users" } },
    ]);
    const inputs = JSON.stringify(only(declared, "WorkersScript", "dispatch").inputs);
    expect(inputs).toContain('"name":"PLATFORM_AUDIENCE","text":"aud-of-tenants"');
    expect(await resolved(result.outputs)).toMatchObject({ audience: "aud-of-tenants" });
  });
});
