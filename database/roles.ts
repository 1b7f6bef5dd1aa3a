import type { Environment } from "../domain/environment.ts";

/** Names of PostgreSQL roles, which a whole server shares. */
export function databaseRoles(environment: Environment) {
  const suffix = environment === "production" ? "" : `_${environment}`;
  return {
    /** Named in the service-role key; may only execute the functions of schema `api`. */
    dispatch: `tenantry_dispatch${suffix}`,
    /** The dashboard's, through Hyperdrive. */
    dashboard: `tenantry_dashboard${suffix}`,
    /** The stacks', for rows of partners, clients, instances and pool entries. */
    provisioner: `tenantry_provisioner${suffix}`,
  };
}
