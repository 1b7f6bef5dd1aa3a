import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import { ZeroTrustAccessGroup } from "@pulumi/cloudflare/zeroTrustAccessGroup.js";
import { ZeroTrustAccessPolicy } from "@pulumi/cloudflare/zeroTrustAccessPolicy.js";
import * as pulumi from "@pulumi/pulumi";
import { memberGroupName } from "#domain/access/member-group.ts";
import { MemberGroup } from "../resources/member-group.ts";
import { publicApplication } from "./public-application.ts";

export interface AccessApplicationArgs {
  accountId: pulumi.Input<string>;
  /** Name of the application and its policy, and of its group if `members` is false. */
  displayName: string;
  /** Protected hostname, without a path. */
  hostname: pulumi.Input<string>;
  /** Groups whose members have access too. Default: none. */
  groups?: pulumi.Input<string>[];
  /** Whether the dashboard can add members to the group, which is then named after the hostname. Default: true. */
  members?: boolean;
  /** Resources to create before the group, because an existing group of its name is adopted. Default: none. */
  after?: pulumi.Resource[];
  /** Paths open to everyone, with their sub-paths, and the policy that opens them. Default: none. */
  open?: { paths: readonly string[]; policyId: pulumi.Input<string> } | undefined;
  /** Lifetime of a login. Default: `24h`. */
  sessionDuration?: string;
}

/**
 * An Access application with one policy, which allows one group.
 * @example
 * ```ts
 * const access = new AccessApplication("acme", {
 *   accountId, displayName: "Tenant acme", hostname: "acme.agents.example.com", groups: [rootGroupId],
 * });
 * ```
 */
export class AccessApplication extends pulumi.ComponentResource {
  readonly audience: pulumi.Output<string>;

  constructor(name: string, args: AccessApplicationArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:AccessApplication", name, {}, opts);
    const { accountId, displayName, hostname, open, sessionDuration = "24h" } = args;

    const allow = new ZeroTrustAccessPolicy(
      name,
      {
        accountId,
        name: `${displayName}: members`,
        decision: "allow",
        includes: [{ group: { id: this.#group(name, args) } }],
      },
      { parent: this },
    );
    const application = new ZeroTrustAccessApplication(
      name,
      {
        accountId,
        name: displayName,
        type: "self_hosted",
        domain: hostname,
        sessionDuration,
        httpOnlyCookieAttribute: true,
        policies: [{ id: allow.id, precedence: 1 }],
      },
      { parent: this },
    );
    const { paths, policyId } = open ?? { paths: [], policyId: "" };
    for (const path of paths) {
      const suffix = `public${path.replaceAll("/", "-")}`;
      publicApplication(
        // Slugs have no dots, so the name cannot collide with a tenant's application.
        `${name}.${suffix}`,
        {
          accountId,
          displayName: `${displayName}: ${path}`,
          address: pulumi.interpolate`${hostname}${path}`,
          policyId,
        },
        { parent: this, aliases: [{ name: `${name}-${suffix}` }] },
      );
    }

    this.audience = application.aud;
    this.registerOutputs({ audience: this.audience });
  }

  #group(
    name: string,
    { accountId, displayName, hostname, groups = [], members = true, after = [] }: AccessApplicationArgs,
  ): pulumi.Output<string> {
    if (members) {
      const args = { accountId, name: pulumi.output(hostname).apply(memberGroupName), groups };
      return new MemberGroup(name, args, { parent: this, dependsOn: after }).groupId;
    }
    const includes = groups.map((id) => ({ group: { id } }));
    return new ZeroTrustAccessGroup(name, { accountId, name: displayName, includes }, { parent: this }).id;
  }
}
