/** Returns the settings of a dashboard client's stack from its rows. */
import type { DeployableTenant } from "#database/tenants/deployment.ts";
import type { Environment } from "#domain/environment.ts";

export type DeclaredTenant = Pick<
  DeployableTenant,
  "slug" | "name" | "plan" | "clientStatus" | "tokenVersion" | "gatewayId" | "image"
>;

/** @param tenant undefined for a stack to destroy */
export function dashboardSettings(
  environment: Environment,
  platformStack: string,
  tenant: DeclaredTenant | undefined,
): Record<string, unknown> {
  return {
    "tenantry:environment": environment,
    "tenantry:platformStack": platformStack,
    "tenantry:managedBy": "dashboard",
    "tenantry:clients": tenant === undefined ? [] : [clientDeclaration(tenant)],
  };
}

function clientDeclaration({ slug, name, plan, clientStatus: status, tokenVersion, gatewayId, image }: DeclaredTenant) {
  const instance = {
    tokenVersion,
    ...(gatewayId !== null && { aiGateway: gatewayId }),
    ...(image !== null && { image }),
  };
  return { slug, name, plan, status, instances: [instance] };
}
