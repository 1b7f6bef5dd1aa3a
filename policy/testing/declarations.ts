/** Resources of policy tests, as stacks declare them. */
import { Client, type ClientArgs } from "#components/client.ts";
import { Platform, type PlatformArgs } from "#components/platform.ts";
import { NamespacedScript, type NamespacedScriptArgs } from "#components/resources/namespaced-script.ts";
import { fakeBundle, fakeContext, fakePlatformArgs } from "#components/testing/fakes.ts";
import type { Environment } from "#domain/environment.ts";
import { PLAN_CONTAINERS, SCRIPT_LIMITS } from "#domain/plans/plan.ts";

export const accountId = "account";

export const declarePlatform = (environment: Environment = "production", more: Partial<PlatformArgs> = {}) =>
  new Platform("platform", fakePlatformArgs(environment, { containers: PLAN_CONTAINERS, ...more }));

export const declareClient = (more: Partial<ClientArgs> = {}) =>
  new Client(more.slug ?? "acme", {
    context: fakeContext(),
    slug: "acme",
    displayName: "Acme",
    plan: "pro",
    status: "active",
    gateway: { kind: "dedicated", gatewayId: "tenantry-acme" },
    ...more,
  });

/** A tenant's script as {@link declareClient} declares it; `more` overrides its arguments. */
export const declareScript = (
  more: Partial<NamespacedScriptArgs> = {},
  bindings: NamespacedScriptArgs["bindings"] = {},
) =>
  new NamespacedScript("lone", {
    accountId,
    namespace: "tenants",
    scriptName: "tenant-lone",
    path: fakeBundle().path,
    contentHash: "hash",
    compatibilityDate: "2026-11-01",
    bindings: {
      TENANT_SLUG: { type: "plain_text", text: "lone" },
      ENVIRONMENT: { type: "plain_text", text: "production" },
      BILLING_PLAN: { type: "plain_text", text: "basic" },
      BACKUP_STORAGE_BYTES: { type: "plain_text", text: "8000000000" },
      SLEEP_AFTER_SECONDS: { type: "plain_text", text: "1800" },
      INBOX_MESSAGES: { type: "plain_text", text: "5000" },
      ...bindings,
    },
    secrets: { GATEWAY_TOKEN: "hush-hush-hush" },
    tags: ["customer_id:7", "plan:basic", "env:production"],
    limits: SCRIPT_LIMITS,
    ...more,
  });

export const plain = (text: string) => ({ type: "plain_text", text }) as const;
