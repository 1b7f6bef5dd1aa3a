import * as pulumi from "@pulumi/pulumi";
import { RIGHTS_ROLE_NAMES } from "#database/schema/rights-roles.ts";

/**
 * Roles with rights on tables and functions, which `Migrations` grants. The roles of each environment are their members. Deleting
 * the resource keeps the roles, because other environments use them.
 * @example
 * ```ts
 * const rights = new RightsRoles("rights", { provider: owner });
 * ```
 */
export class RightsRoles extends pulumi.CustomResource {
  declare readonly names: pulumi.Output<string[]>;

  constructor(name: string, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:RightsRoles", name, { names: [...RIGHTS_ROLE_NAMES] }, opts);
  }
}
