import { onTestFinished, type TestContext } from "vitest";
import { startTenant, type Tenant, type TenantOptions } from "./harness.ts";

/** A tenant that ends with the test. @param test whose; a concurrent test says so */
export async function openTenant(
  gatewayCommand?: string[],
  options: TenantOptions = {},
  test: Pick<TestContext, "onTestFinished"> = { onTestFinished },
): Promise<Tenant> {
  const tenant = await startTenant(gatewayCommand, options);
  test.onTestFinished(() => tenant.stop());
  return tenant;
}
