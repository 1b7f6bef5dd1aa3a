/** What components are given in tests. */
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "../../domain/account-limits.ts";
import type { Environment } from "../../domain/environment.ts";
import { PLAN_AI_SPEND, PLAN_CONTAINERS } from "../../domain/plan.ts";
import type { WorkerBundle } from "../../workers/bundle.ts";
import type { PlatformContext } from "../platform-context.ts";
import type { PlatformOutputs } from "../platform-outputs.ts";
import type { Site } from "../site.ts";

/** The smallest bundle of a Worker. */
export function fakeBundle(): WorkerBundle {
  return {
    path: join(import.meta.dirname, "../resources"),
    mainModule: "tenantry-provider.ts",
    contentHash: "hash",
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
  };
}

/** Where a platform of an environment is. */
export const fakeSite = (environment: Environment): Site => ({
  environment,
  accountId: "a".repeat(32),
  zoneId: "b".repeat(32),
  domain: "agents.example.com",
});

/** What tenants of a platform in production are made with, unless told otherwise. */
export function fakeContext(more: Partial<PlatformContext> = {}): PlatformContext {
  const { environment = "production" } = more;
  const outputs = pulumi.output({ ...fakePlatform, environment });
  return { environment, outputs, shape: fakePlatform, bundle: fakeBundle(), ...more };
}

/** What a platform tells its tenants. */
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
  aiSpendLimits: PLAN_AI_SPEND,
  pii: { action: "FLAG", profiles: ["profile"] },
  permissions: { bucketObjectWrite: "bucket-write", aiGatewayRun: "gateway-run" },
};
