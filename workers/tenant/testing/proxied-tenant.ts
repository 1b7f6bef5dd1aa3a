/** A tenant whose Worker reaches its sandbox through a proxy of the test's. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { startTenant, type Tenant } from "./harness.ts";
import { type SupervisorProxy, startSupervisorProxy } from "./supervisor-proxy.ts";

export interface ProxiedTenant {
  tenant: Tenant;
  proxy: SupervisorProxy;
  /** The test's own, gone when it ends. */
  directory: string;
}

/** A tenant that ends with the test. @param test whose; a concurrent test says so */
export async function openProxied(
  bundle: string,
  gatewayCommand?: (directory: string) => string[],
  bindings: Record<string, string> = {},
  test: Pick<TestContext, "onTestFinished"> = { onTestFinished },
): Promise<ProxiedTenant> {
  const directory = mkdtempSync(join(tmpdir(), "proxied-tenant-"));
  test.onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let proxy: SupervisorProxy | undefined;
  const tenant = await startTenant(bundle, gatewayCommand?.(directory), undefined, {
    directory: join(directory, "sandboxes"),
    bindings,
    between: async (supervisor) => {
      proxy = await startSupervisorProxy(supervisor, directory);
      return proxy.socket;
    },
  });
  test.onTestFinished(async () => {
    await tenant.stop();
    proxy?.stop();
  });
  if (proxy === undefined) throw new Error("the Worker was given another socket");
  return { tenant, proxy, directory };
}
