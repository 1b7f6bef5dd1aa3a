import { ZeroTrustAccessGroup } from "@pulumi/cloudflare/zeroTrustAccessGroup.js";
import * as pulumi from "@pulumi/pulumi";
import { rootGroupName } from "#domain/access/member-group.ts";
import { MemberGroup } from "../resources/member-group.ts";

/** Who the platform's root users are. */
export interface RootUsersArgs {
  accountId: pulumi.Input<string>;
  /** Name of the group of those whom the stack names. */
  displayName: string;
  /** The dashboard's hostname, which the group of all of them is called after. */
  hostname: string;
  /** E-mail addresses that the stack names, in lower case. */
  named: readonly string[];
}

/**
 * The platform's root users at Access: a group of those whom the stack names, whom no data locks out, within one of all root users, whose
 * other members are data.
 *
 * @example
 * ```ts
 * const roots = new RootUsers("root-users", { accountId, displayName: "Platform root users", hostname, named }, { parent, providers: [tenantry] });
 * ```
 */
export class RootUsers extends pulumi.ComponentResource {
  /** Group of all root users. */
  readonly groupId: pulumi.Output<string>;

  constructor(name: string, args: RootUsersArgs, opts: pulumi.ComponentResourceOptions) {
    super("tenantry:components:RootUsers", name, {}, opts);
    const { accountId, displayName, hostname, named } = args;
    // Whose group it was while the dashboard's application had no other members.
    const application = pulumi.createUrn("dashboard", "tenantry:components:AccessApplication", opts.parent);
    const declared = new ZeroTrustAccessGroup(
      "named",
      { accountId, name: displayName, includes: named.map((email) => ({ email: { email } })) },
      { parent: this, aliases: [{ name: "dashboard", parent: application }] },
    );
    this.groupId = new MemberGroup(
      name,
      { accountId, name: rootGroupName(hostname), groups: [declared.id] },
      { parent: this },
    ).groupId;
    this.registerOutputs({ groupId: this.groupId });
  }
}
