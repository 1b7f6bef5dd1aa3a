import { ZeroTrustAccessApplication } from "@pulumi/cloudflare/zeroTrustAccessApplication.js";
import { ZeroTrustAccessGroup } from "@pulumi/cloudflare/zeroTrustAccessGroup.js";
import { ZeroTrustAccessPolicy } from "@pulumi/cloudflare/zeroTrustAccessPolicy.js";
import * as pulumi from "@pulumi/pulumi";
import { memberGroupName } from "#domain/access/member-group.ts";
import { MemberGroup } from "../resources/member-group.ts";
import { publicApplication } from "./public-application.ts";

/** Who may reach one hostname. */
export interface AccessApplicationArgs {
  accountId: pulumi.Input<string>;
  /** Name of the application and its policy, and of its group where it has no members of its own. */
  displayName: string;
  /** Hostname that is guarded, without a path. */
  hostname: pulumi.Input<string>;
  /** Groups whose members may enter beside the group's own. Default: none. */
  groups?: pulumi.Input<string>[];
  /**
   * Whether the group has members of its own beside those groups: they are data, edited by the dashboard, and the stack leaves them alone;
   * the group is then called after the hostname. Default: true.
   */
  members?: boolean;
  /** What is made before that group, since one of its name is adopted. Default: nothing. */
  after?: pulumi.Resource[];
  /** Paths anyone may reach without logging in, such as `/api/health`, sub-paths included, and the policy that says so. Default: none. */
  open?: { paths: readonly string[]; policyId: pulumi.Input<string> } | undefined;
  /** How long a log-in lasts. Default: `24h`. */
  sessionDuration?: string;
}

/**
 * An Access application with one policy, which allows one group (spec: "Existing access applications are reconciled to a
 * group-only allow policy").
 *
 * @example
 * ```ts
 * const access = new AccessApplication("acme", {
 *   accountId, displayName: "Tenant acme", hostname: "acme.agents.example.com", groups: [rootGroupId],
 * });
 * ```
 */
export class AccessApplication extends pulumi.ComponentResource {
  /** Audience tag that tokens for the hostname carry. */
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
    if (open !== undefined) {
      for (const path of open.paths) {
        const suffix = `public${path.replaceAll("/", "-")}`;
        publicApplication(
          // No slug has a dot, so that no tenant's own application is called so too.
          `${name}.${suffix}`,
          {
            accountId,
            displayName: `${displayName}: ${path}`,
            address: pulumi.interpolate`${hostname}${path}`,
            policyId: open.policyId,
          },
          { parent: this, aliases: [{ name: `${name}-${suffix}` }] },
        );
      }
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
