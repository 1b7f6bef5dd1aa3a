import * as pulumi from "@pulumi/pulumi";
import { RIGHTS_ROLE_NAMES } from "#database/schema/rights-roles.ts";

/**
 * The roles that have rights on tables and functions; `Migrations` grants them. They come before an environment's own roles, which are
 * their members. Deleting the resource keeps the roles, since other environments use them.
 *
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
