import { ZeroTrustAccessGroup } from "@pulumi/cloudflare/zeroTrustAccessGroup.js";
import * as pulumi from "@pulumi/pulumi";
import { rootGroupName } from "#domain/access/member-group.ts";
import { MemberGroup } from "../resources/member-group.ts";

export interface RootUsersArgs {
  accountId: pulumi.Input<string>;
  displayName: string;
  /** The dashboard's hostname, which names the group of all root users. */
  hostname: string;
  /** E-mail addresses in lower case. */
  named: readonly string[];
}

/**
 * The platform's root users in Access: a group of those that the stack lists, within a group of all. Data can change the members
 * of the outer group only, so it cannot lock out the listed ones.
 * @example
 * ```ts
 * const roots = new RootUsers("root-users", { accountId, displayName: "Platform root users", hostname, named }, { parent, providers: [tenantry] });
 * ```
 */
export class RootUsers extends pulumi.ComponentResource {
  readonly groupId: pulumi.Output<string>;

  constructor(name: string, args: RootUsersArgs, opts: pulumi.ComponentResourceOptions) {
    super("tenantry:components:RootUsers", name, {}, opts);
    const { accountId, displayName, hostname, named } = args;
    // Earlier releases declared this group within the dashboard's application.
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
