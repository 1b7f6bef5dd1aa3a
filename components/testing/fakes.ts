/** Arguments of components in tests. */
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Environment } from "#domain/environment.ts";
import { DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "#domain/plans/account-limits.ts";
import { PLAN_AI_SPEND, PLAN_CONTAINERS } from "#domain/plans/plan.ts";
import type { WorkerBundle } from "#workers/bundle.ts";
import type { PlatformArgs } from "../platform.ts";
import type { PlatformContext } from "../platform-context.ts";
import type { PlatformOutputs } from "../platform-outputs.ts";
import type { Site } from "../site.ts";

export function fakeBundle(): WorkerBundle {
  return {
    path: join(import.meta.dirname, "../resources"),
    mainModule: "tenantry-provider.ts",
    contentHash: "hash",
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
  };
}

export const fakeSite = (environment: Environment): Site => ({
  environment,
  accountId: "a".repeat(32),
  zoneId: "b".repeat(32),
  domain: "agents.example.com",
});

/** A platform in production by default. */
export function fakeContext(more: Partial<PlatformContext> = {}): PlatformContext {
  const { environment = "production" } = more;
  const outputs = pulumi.output({ ...fakePlatform, environment });
  return { environment, outputs, shape: fakePlatform, bundle: fakeBundle(), ...more };
}

export const fakePlatform: PlatformOutputs = {
  version: 1,
  environment: "production",
  domain: "agents.example.com",
  accountId: "account",
  zoneId: "zone",
  dispatchUrl: "https://_dispatch.agents.example.com",
  dispatchNamespace: "tenants",
  rootGroupId: "roots",
  audience: "aud-of-platform",
  publicPolicyId: "public-policy",
  ...DEFAULT_TENANT_SHAPE,
  limits: DEFAULT_ACCOUNT_LIMITS,
  containerImage: "gateway:1",
  containers: PLAN_CONTAINERS,
  gatewayMemoryMiB: 1_024,
  backupRetentionDays: 30,
  createDedicatedAiGateways: true,
  aiGatewayUrl: "https://gateway.ai.cloudflare.com",
  defaultModel: "openai/gpt-5-mini",
  egress: { mode: "open", entries: [] },
  aiSpendLimits: PLAN_AI_SPEND,
  pii: { action: "FLAG", profiles: ["e91a2360-da51-4fdf-9711-bcdecd462614"] },
  permissions: { bucketObjectWrite: "bucket-write", aiGatewayRun: "gateway-run" },
};

/** Platform arguments, of which `more` overrides any. */
export const fakePlatformArgs = (environment: Environment, more: Partial<PlatformArgs> = {}): PlatformArgs => ({
  ...fakeSite(environment),
  ...DEFAULT_TENANT_SHAPE,
  stack: "organization/tenantry/whole",
  databaseUrl: "postgres://owner:hush@db.example.com:6432/tenantry",
  restUrl: "https://db.example.com/rest/v1",
  serviceRoleKey: "service-role",
  accessIssuer: "https://team.example",
  containerImage: "gateway:1",
  containers: { ...PLAN_CONTAINERS, free: "basic" },
  gatewayMemoryMiB: 900,
  rootUsers: ["Root@example.com", "root@example.com"],
  aiGateways: [{ id: "pool-a", capacity: 2, enabled: true }],
  createDedicatedAiGateways: true,
  defaultModel: "openai/gpt-5-mini",
  egress: { mode: "open", entries: [] },
  backupRetentionDays: 365,
  pii: { action: "FLAG", profiles: ["e91a2360-da51-4fdf-9711-bcdecd462614"] },
  aiSpendLimits: PLAN_AI_SPEND,
  limits: DEFAULT_ACCOUNT_LIMITS,
  permissions: {
    ...fakePlatform.permissions,
    aiGatewayRead: "permission-to-read-gateways",
    analyticsRead: "permission-to-read-analytics",
    serviceTokensWrite: "permission-to-write-service-tokens",
  },
  bundles: { dispatch: fakeBundle(), dashboard: fakeBundle() },
  pages: { path: join(import.meta.dirname, "../resources"), contentHash: "hash" },
  ...more,
});
