import * as pulumi from "@pulumi/pulumi";

export interface MemberGroupArgs {
  /** Cloudflare account; a change replaces the group. */
  accountId: pulumi.Input<string>;
  /** Name of the group. An existing group of that name is adopted with its members. */
  name: pulumi.Input<string>;
  /** Ids of groups whose members are included; at least one. */
  groups: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * An Access group of other groups and of members, each an include rule with an e-mail address or a service token. The rules of members are not in
 * the state or plan, and no update removes them. Any other rule is removed. Import id: `{accountId}/{groupId}`.
 * @example
 * ```ts
 * const members = new MemberGroup("acme", { accountId, name: "Members of acme.agents.example.com", groups: [rootGroupId] },
 *   { provider: tenantry });
 * ```
 */
export class MemberGroup extends pulumi.CustomResource {
  declare readonly groupId: pulumi.Output<string>;

  constructor(name: string, args: MemberGroupArgs, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:MemberGroup", name, { ...args, groupId: undefined }, opts);
  }
}
