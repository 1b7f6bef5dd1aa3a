import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import { ZeroTrustAccessGroup } from "@pulumi/cloudflare/zeroTrustAccessGroup.js";
import { ZeroTrustAccessPolicy } from "@pulumi/cloudflare/zeroTrustAccessPolicy.js";
import * as pulumi from "@pulumi/pulumi";
import { MEMBERS_POLICY, memberGroupName, SERVICES_POLICY } from "#domain/access/member-group.ts";
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
  /** Whether service tokens in the group have access too. Default: false. */
  services?: boolean;
  /** Lifetime of a login. Default: `24h`. */
  sessionDuration?: string;
}

/**
 * An Access application that allows one group: its members, and its service tokens if `services` is set.
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
    const { accountId, displayName, hostname, open, services = false, sessionDuration = "24h" } = args;

    const includes = [{ group: { id: this.#group(name, args) } }];
    const policy = (resource: string, suffix: string, decision: string) =>
      new ZeroTrustAccessPolicy(
        resource,
        { accountId, name: `${displayName}: ${suffix}`, decision, includes },
        { parent: this },
      );
    const policies = [policy(name, MEMBERS_POLICY, "allow")];
    // A login with an identity provider is asked of a service token unless its policy has this decision.
    if (services) policies.push(policy(`${name}.services`, SERVICES_POLICY, "non_identity"));
    const application = new ZeroTrustAccessApplication(
      name,
      {
        accountId,
        name: displayName,
        type: "self_hosted",
        domain: hostname,
        sessionDuration,
        httpOnlyCookieAttribute: true,
        policies: policies.map(({ id }, index) => ({ id, precedence: index + 1 })),
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
