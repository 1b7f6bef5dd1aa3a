/** A tenant's script and its containers, for tests of the provider. */
import { account_id } from "@tenantry/edge/testing/api";
import { ContainerApplication } from "#components/resources/container-application.ts";
import { NamespacedScript } from "#components/resources/namespaced-script.ts";
import type { TenantryProvider } from "#components/resources/tenantry-provider.ts";

export const NAMESPACE = "tenants";
export const SECRET = "a-secret-that-stays-one";

export interface Wanted {
  /** Name of the resources in the program. */
  resourceName?: string;
  scriptName?: string;
  plan?: string;
  image?: string;
  secret?: string;
  maxInstances?: number;
  provider?: () => TenantryProvider;
  takeOver?: boolean;
}

/** @param bundle folder of the script's modules */
export function tenantProgram(bundle: string, wanted: Wanted = {}) {
  const {
    scriptName = "tenant-acme",
    plan = "pro",
    image = "gateway:1",
    secret = SECRET,
    resourceName = "acme",
  } = wanted;
  return async () => {
    const options = wanted.provider === undefined ? {} : { provider: wanted.provider() };
    const script = new NamespacedScript(
      resourceName,
      {
        accountId: account_id,
        namespace: NAMESPACE,
        scriptName,
        path: bundle,
        compatibilityDate: "2026-11-01",
        compatibilityFlags: ["nodejs_compat"],
        bindings: {
          Sandbox: { type: "durable_object_namespace", className: "Sandbox" },
          ANALYTICS: { type: "analytics_engine", dataset: "costs" },
          TENANT_SLUG: { type: "plain_text", text: "acme" },
          SLEEP_AFTER_SECONDS: { type: "plain_text", text: plan === "pro" ? "7200" : "1800" },
        },
        secrets: { GATEWAY_TOKEN: secret },
        migrations: { newTag: "v1", newSqliteClasses: ["Sandbox"] },
        containers: [{ className: "Sandbox" }],
        tags: ["env:production", `plan:${plan}`],
        limits: { cpuMs: plan === "pro" ? 50_000 : 30_000, subrequests: 50 },
        takeOver: wanted.takeOver,
      },
      options,
    );
    const application = new ContainerApplication(
      resourceName,
      {
        accountId: account_id,
        name: scriptName,
        dispatchNamespace: script.namespace,
        scriptName: script.scriptName,
        className: "Sandbox",
        image,
        instanceType: plan === "pro" ? "standard-2" : "standard-1",
        takeOver: wanted.takeOver,
        ...(wanted.maxInstances === undefined ? {} : { maxInstances: wanted.maxInstances }),
      },
      options,
    );
    return { etag: script.etag, application: application.id, namespaceId: application.namespaceId };
  };
}
