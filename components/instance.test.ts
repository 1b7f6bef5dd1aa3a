import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { type EgressPolicy, egressBound } from "#domain/egress/policy-types.ts";
import type { Environment } from "#domain/environment.ts";
import { DEFAULT_TENANT_SHAPE, type TenantShape } from "#domain/plans/account-limits.ts";
import { type Plan, SCRIPT_LIMITS } from "#domain/plans/plan.ts";
import { Client } from "./client.ts";
import type { GatewayBinding, PlatformContext } from "./platform-context.ts";
import { declare, only, resolved } from "./testing/declared.ts";
import { fakeContext, fakePlatform } from "./testing/fakes.ts";

const deploy = (
  gateway: GatewayBinding,
  environment: Environment = "production",
  plan: Plan = "pro",
  shape: Partial<TenantShape> = {},
  more: Partial<PlatformContext> = {},
) =>
  declare(
    () =>
      new Client("acme", {
        context: fakeContext({ environment, shape: { ...DEFAULT_TENANT_SHAPE, ...shape }, ...more }),
        slug: "acme",
        displayName: "Acme",
        plan,
        status: "active",
        partnerId: "partner-id",
        gateway,
      }),
  );
const pooled: GatewayBinding = { kind: "pooled", gatewayId: "pool-a", poolId: "pool-row" };

const SECRET_SIGNATURE = "4dabf18193072939515e22adb298388d";
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (SECRET_SIGNATURE in value && "value" in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
};

describe("Client and Instance", () => {
  test("declares rows of the client and of its instance, bound to the pool", async () => {
    const { declared, result } = await deploy(pooled);
    expect(only(declared, "DatabaseRecord", "client-acme").inputs).toMatchObject({
      key: { slug: "acme" },
      values: { name: "Acme", billing_plan: "pro", status: "active", partner_id: "partner-id" },
    });
    expect(only(declared, "DatabaseRecord", "instance-acme").inputs).toMatchObject({
      key: { client_id: "row-of-client-acme" },
      values: {
        environment: "production",
        managed_by: "git",
        worker_name: "tenant-acme",
        access_aud: "aud-of-acme",
        ai_gateway_id: "pool-a",
        ai_gateway_pool_id: "pool-row",
      },
      initial: { status: "provisioning" },
    });
    expect(await resolved(result.hostname)).toBe("acme.agents.example.com");
  });

  test("gives the script its tags, limits, container size and every binding of the contract", async () => {
    const { declared } = await deploy(pooled);
    const script = only(declared, "NamespacedScript").inputs;
    expect(script).toMatchObject({
      namespace: "tenants",
      scriptName: "tenant-acme",
      tags: ["customer_id:row-of-client-acme", "plan:pro", "env:production"],
      limits: SCRIPT_LIMITS,
      containers: [{ className: "Sandbox" }],
    });
    expect(only(declared, "ContainerApplication").inputs).toMatchObject({
      instanceType: "standard-2",
      image: "gateway:1",
    });
    const byName = script.bindings as Record<string, { type: string; text?: string; bucketName?: string }>;
    expect(byName.BACKUP_BUCKET?.bucketName).toBe("tenantry-backups-acme");
    expect(byName.BUNDLE_HASH?.text).toBe("hash");
    expect(byName.BACKUP_RETENTION_DAYS?.text).toBe("30");
    expect(byName.BACKUP_STORAGE_BYTES?.text).toBe("12000000000");
    expect(byName.AI_GATEWAY_ID?.text).toBe("pool-a");
    expect(byName.AI_GATEWAY_URL?.text).toBe("https://gateway.ai.cloudflare.com");
    expect(byName.DEFAULT_MODEL?.text).toBe("openai/gpt-5-mini");
    expect(byName.TENANT_ORIGIN?.text).toBe("https://acme.agents.example.com");
    expect(byName.ACCESS_AUD?.text).toBe("aud-of-acme");
    expect(byName.Sandbox?.type).toBe("durable_object_namespace");
    expect(byName.ANALYTICS?.type).toBe("analytics_engine");
    expect(byName.BROWSER?.type).toBe("browser");
    expect(Object.keys(plain(script.secrets) as object).toSorted()).toEqual([
      "AI_GATEWAY_API_KEY",
      "CDP_SECRET",
      "CF_AIG_AUTHORIZATION",
      "GATEWAY_TOKEN",
    ]);
    expect(declared.filter(({ type }) => type.endsWith(":AccountToken")).map(({ name }) => name)).toEqual([
      "acme-ai-gateway",
    ]);
  });

  test("gives the script what plan and platform let containers reach, and the hosts that no policy allows", async () => {
    const boundOf = async (egress: EgressPolicy) => {
      const outputs = pulumi.output({ ...fakePlatform, egress });
      const { declared } = await deploy(pooled, "production", "pro", {}, { outputs });
      const { EGRESS_BOUND } = only(declared, "NamespacedScript").inputs.bindings as Record<string, { text: string }>;
      return egressBound.parse(JSON.parse(EGRESS_BOUND?.text ?? ""));
    };
    const platform = { domain: "agents.example.com", refused: expect.arrayContaining(["api.cloudflare.com"]) };
    const plan = { mode: "open", entries: [] };
    const audit: EgressPolicy = { mode: "audit", entries: [] };
    expect(await boundOf(audit)).toEqual({ layers: [plan, audit], platform });
  });

  test("has the provider keys as a secret when there are any", async () => {
    const { declared } = await deploy(pooled, "production", "pro", {}, { providerKeys: '{"openai":"sk-1"}' });
    const { secrets, ...rest } = only(declared, "NamespacedScript").inputs;
    expect(plain(secrets)).toMatchObject({ PROVIDER_KEYS: '{"openai":"sk-1"}' });
    expect(JSON.stringify(rest)).not.toContain("sk-1");
  });

  test("has credentials for its bucket when the platform enables them", async () => {
    const { declared } = await deploy(pooled, "production", "pro", { bucketCredentials: true });
    expect(plain(only(declared, "NamespacedScript").inputs.secrets)).toMatchObject({
      R2_ACCESS_KEY_ID: "id-of-acme",
      R2_SECRET_ACCESS_KEY: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(only(declared, "AccountToken", "acme").inputs.name).toBe("Backups of acme");
  });

  // The enterprise plan's storage is custom, without a limit.
  test.each([
    { plan: "free", instanceType: "lite", gigabytes: 2, sleepAfter: 600 },
    { plan: "basic", instanceType: "standard-1", gigabytes: 8, sleepAfter: 1_800 },
    { plan: "pro", instanceType: "standard-2", gigabytes: 12, sleepAfter: 7_200 },
    {
      plan: "enterprise",
      instanceType: "standard-3",
      gigabytes: undefined,
      sleepAfter: undefined,
    },
  ] as const)(
    "gives a tenant of the plan $plan what the plan grants",
    async ({ plan, gigabytes, sleepAfter, ...granted }) => {
      const { declared } = await deploy(pooled, "production", plan);
      const { limits, tags, bindings } = only(declared, "NamespacedScript").inputs;
      // Dispatch enforces the plan's limits for each request, because the script's own limits also bind the platform's work.
      expect(limits).toEqual({ cpuMs: 90_000, subrequests: 1_000 });
      expect(tags).toContain(`plan:${plan}`);
      expect(only(declared, "ContainerApplication").inputs.instanceType).toBe(granted.instanceType);
      const bound = bindings as Record<string, { text?: string }>;
      expect(bound.BACKUP_STORAGE_BYTES?.text).toBe(gigabytes === undefined ? undefined : `${gigabytes}000000000`);
      expect("SLEEP_AFTER_SECONDS" in bound).toBe(sleepAfter !== undefined);
      expect(bound.SLEEP_WITH_CHANNELS?.text).toBe(plan === "free" ? "1" : undefined);
      expect(bound.SLEEP_AFTER_SECONDS?.text).toBe(sleepAfter === undefined ? undefined : String(sleepAfter));
    },
  );

  test("runs in containers of another size when the platform sets one for the plan", async () => {
    const outputs = pulumi.output({
      ...fakePlatform,
      containers: { ...fakePlatform.containers, free: "basic" as const },
    });
    const sizeOf = async (plan: Plan) => {
      const { declared } = await deploy(pooled, "production", plan, {}, { outputs });
      return only(declared, "ContainerApplication").inputs.instanceType;
    };
    expect([await sizeOf("free"), await sizeOf("pro")]).toEqual(["basic", "standard-2"]);
  });

  test("keeps secrets apart from bindings that previews show", async () => {
    const { declared } = await deploy(pooled);
    const { secrets, ...rest } = only(declared, "NamespacedScript").inputs;
    expect(secrets).toHaveProperty(SECRET_SIGNATURE);
    expect(JSON.stringify(rest)).not.toMatch(/password-of|value-of/);
    expect(JSON.stringify(rest)).not.toContain(SECRET_SIGNATURE);
  });

  test("creates a dedicated gateway and binds no pool entry when the plan requires it", async () => {
    const { declared } = await deploy({ kind: "dedicated", gatewayId: "tenantry-acme" });
    expect(declared.some(({ type }) => type === "cloudflare:index/aiGateway:AiGateway")).toBe(true);
    expect(only(declared, "DatabaseRecord", "instance-acme").inputs.values).toMatchObject({
      ai_gateway_id: "tenantry-acme",
      ai_gateway_pool_id: null,
    });
    const { declared: shared } = await deploy(pooled);
    expect(shared.some(({ type }) => type === "cloudflare:index/aiGateway:AiGateway")).toBe(false);
  });

  test("uses one application, one group, two policies and one token, and opens no path itself", async () => {
    const { declared } = await deploy(pooled);
    const counted = (type: string) => declared.filter((one) => one.type.endsWith(`:${type}`)).length;
    expect(["ZeroTrustAccessApplication", "MemberGroup", "ZeroTrustAccessPolicy", "AccountToken"].map(counted)).toEqual(
      [1, 1, 2, 1],
    );
    expect(declared.filter(({ type }) => /ZeroTrustList|ZeroTrustAccessGroup/.test(type))).toEqual([]);
    expect(only(declared, "ZeroTrustAccessApplication").inputs.domain).toBe("acme.agents.example.com");
    expect(JSON.stringify(declared)).not.toMatch(/everyone|public-policy/);
  });

  test("opens its own health path by the platform's policy when the platform enables it", async () => {
    const { declared } = await deploy(pooled, "production", "pro", { healthApplication: "tenant" });
    expect(only(declared, "ZeroTrustAccessApplication", "acme.public-api-health").inputs).toMatchObject({
      domain: "acme.agents.example.com/api/health",
      policies: [{ id: "public-policy" }],
    });
  });

  test("adds -dev to every name outside production", async () => {
    const { declared } = await deploy(pooled, "development");
    expect(only(declared, "NamespacedScript").inputs.scriptName).toBe("tenant-acme-dev");
    expect(only(declared, "R2Bucket").inputs.name).toBe("tenantry-backups-acme-dev");
    expect(only(declared, "ZeroTrustAccessApplication", "acme").inputs.domain).toBe("acme-dev.agents.example.com");
    expect(only(declared, "NamespacedScript").inputs.tags).toContain("env:development");
  });
});
