/** A tenant whose Worker reaches its container through a proxy of the test's. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { type EngineProxy, startEngineProxy } from "./engine-proxy.ts";
import { startTenant, type Tenant } from "./harness.ts";

export interface ProxiedTenant {
  tenant: Tenant;
  proxy: EngineProxy;
  /** The test's own, gone when it ends. */
  directory: string;
}

/** A tenant that ends with the test. @param test whose; a concurrent test says so */
export async function openProxied(
  gatewayCommand?: (directory: string) => string[],
  bindings: Record<string, string> = {},
  test: Pick<TestContext, "onTestFinished"> = { onTestFinished },
): Promise<ProxiedTenant> {
  const directory = mkdtempSync(join(tmpdir(), "proxied-tenant-"));
  test.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let proxy: EngineProxy | undefined;
  const tenant = await startTenant(gatewayCommand?.(directory), {
    directory: join(directory, "containers"),
    bindings,
    between: async (engine) => {
      proxy = await startEngineProxy(engine, directory);
      return proxy.address;
    },
  });
  test.onTestFinished(async () => {
    await tenant.stop();
    proxy?.stop();
  });
  if (proxy === undefined) throw new Error("workerd was given another engine");
  return { tenant, proxy, directory };
}
