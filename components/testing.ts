/** Runs component code against mocked providers and collects what it declared. */
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { DEFAULT_ACCOUNT_LIMITS, DEFAULT_TENANT_SHAPE } from "../domain/account-limits.ts";
import type { Environment } from "../domain/environment.ts";
import type { WorkerBundle } from "../workers/bundle.ts";
import type { PlatformContext } from "./platform-context.ts";
import type { PlatformOutputs } from "./platform-outputs.ts";
import type { Site } from "./site.ts";

export interface Declared {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The explicit provider, as `urn::id`; empty for the default one. */
  provider: string;
}

const OUTPUTS: Record<string, (name: string) => Record<string, unknown>> = {
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": (name) => ({ aud: `aud-of-${name}` }),
  "cloudflare:index/accountToken:AccountToken": (name) => ({ value: `value-of-${name}` }),
  "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace": () => ({
    namespaceName: "tenants",
  }),
  "random:index/randomPassword:RandomPassword": (name) => ({ result: `password-of-${name}` }),
  "tenantry:index:MemberGroup": (name) => ({ groupId: `group-of-${name}` }),
  "tenantry:index:DatabaseRecord": (name) => ({ recordId: `row-of-${name}` }),
};

/**
 * @param program declares resources
 * @returns what was declared, components included, in the order of registration, and what the program returned
 */
export async function declare<T>(program: () => T | Promise<T>): Promise<{ declared: Declared[]; result: T }> {
  const declared: Declared[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, provider }) => {
        declared.push({ type, name, inputs, provider: provider ?? "" });
        return { id: `id-of-${name}`, state: { ...inputs, ...OUTPUTS[type]?.(name) } };
      },
      call: ({ token }) => Promise.reject(new Error(`no call of ${token} is expected`)),
    },
    "tenantry",
    "unit",
  );
  const result = await program();
  await pulumi.runtime.disconnect();
  return { declared, result };
}

/** The one declared resource of a type, by its name when there are more. */
export function only(declared: readonly Declared[], type: string, name?: string): Declared {
  const found = declared.filter(
    (entry) => entry.type.endsWith(`:${type}`) && (name === undefined || entry.name === name),
  );
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(
      `expected one ${type} ${name ?? ""}, found ${found.map((entry) => entry.name).join(", ") || "none"}`,
    );
  }
  return found[0];
}

/** The value of an output. */
export function resolved<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** The smallest bundle of a Worker. */
export function fakeBundle(): WorkerBundle {
  return {
    path: join(import.meta.dirname, "resources"),
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
  backupRetentionDays: 30,
  createDedicatedAiGateways: true,
  pii: { action: "FLAG", profiles: ["profile"] },
  permissions: { bucketObjectWrite: "bucket-write", aiGatewayRun: "gateway-run" },
};
