import type { Environment } from "../environment.ts";

/** The stack of one tenant, whose file is `tenants/Pulumi.{environment}-{slug}.yaml`. */
export const tenantStackName = (slug: string, environment: Environment): string => `${environment}-${slug}`;
