import type { Client } from "#components/client.ts";
import type { Platform } from "#components/platform.ts";
import { RemovalCheck } from "#components/resources/removal-check.ts";
import type { Environment } from "#domain/environment.ts";

/**
 * Refuses to remove a platform while other stacks have tenants on it. The check is deleted before all other resources, so a refused
 * run removes nothing. It is protected with the platform, because a run without preview deletes resources before it reaches a protected one.
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
