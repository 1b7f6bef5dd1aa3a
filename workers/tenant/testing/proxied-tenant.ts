/** A tenant whose Worker reaches its container through a proxy. */
import type { TestContext } from "vitest";
import { type EngineProxy, startEngineProxy } from "./engine-proxy.ts";
import type { OpenTenant, Tenant, TenantOptions } from "./harness.ts";

export interface ProxiedTenant {
  tenant: Tenant;
  proxy: EngineProxy;
}

export type OpenProxied = (gatewayCommand?: string[], options?: TenantOptions) => Promise<ProxiedTenant>;

/** The test's fixture. */
export const openProxied =
  ({ openTenant, onTestFinished }: TestContext & { openTenant: OpenTenant }): OpenProxied =>
  async (gatewayCommand, options) => {
    let proxy: EngineProxy | undefined;
    onTestFinished(() => proxy?.stop());
    const tenant = await openTenant(gatewayCommand, {
      ...options,
      between: async (engine, directory) => {
        proxy = await startEngineProxy(engine, directory);
        return proxy.address;
      },
    });
    if (proxy === undefined) throw new Error("The proxy was not started.");
    return { tenant, proxy };
  };
