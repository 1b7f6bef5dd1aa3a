/** All tenants of a platform, which have its new secrets after their next deployment. */
import { deployDashboardTenants } from "./dashboard-tenants.ts";
import type { RotateOptions } from "./options.ts";
import type { PlatformFile } from "./platform-file.ts";
import { deployTenantStacks } from "./tenant-stacks.ts";

/** @throws Error with those that could not be deployed, and why */
export async function deployTenants(file: PlatformFile, options: RotateOptions): Promise<void> {
  await deployTenantStacks(options);
  await deployDashboardTenants(file.environment, options);
}
