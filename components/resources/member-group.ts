import * as pulumi from "@pulumi/pulumi";

/** An Access group whose members are data. */
export interface MemberGroupArgs {
  /** Cloudflare account. Another one replaces the group. */
  accountId: pulumi.Input<string>;
  /** Name of the group. One of that name is adopted with its members: it is to name whose members they are. */
  name: pulumi.Input<string>;
  /** Ids of the groups whose members are included too; at least one. */
  groups: pulumi.Input<pulumi.Input<string>[]>;
}

/**
 * An Access group of other groups and of members, each an include rule with an e-mail address. These rules belong to whoever invites
 * the members: they are kept, and appear neither in the state nor in a plan. Any other rule is taken out. Import id: `{accountId}/{groupId}`.
 *
 * @example
 * ```ts
 * const members = new MemberGroup("acme", { accountId, name: "Members of acme.agents.example.com", groups: [rootGroupId] },
 *   { provider: tenantry });
 * ```
 */
export class MemberGroup extends pulumi.CustomResource {
  /** The group's id at Cloudflare. */
  declare readonly groupId: pulumi.Output<string>;

  constructor(name: string, args: MemberGroupArgs, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:MemberGroup", name, { ...args, groupId: undefined }, opts);
  }
}
