import type { Client } from "#components/client.ts";
import type { Platform } from "#components/platform.ts";
import { RemovalCheck } from "#components/resources/removal-check.ts";
import type { Environment } from "#domain/environment.ts";

/**
 * Refuses to remove a platform while other stacks have tenants on it. It is deleted before anything else of its stack, the
 * tenants included, so that a refused run has removed nothing; protected itself where the platform is, for a run without a
 * preview would remove whatever comes before what is protected.
 */
export function checkPlatformRemoval(platform: Platform, clients: readonly Client[], environment: Environment): void {
  new RemovalCheck(
    "platform",
    { name: "The platform", sole: [{ table: "tenantry.instances", key: { environment } }] },
    {
      provider: platform.provider,
      protect: platform.protect,
      dependsOn: [platform, ...clients.map(({ removal }) => removal)],
    },
  );
}
