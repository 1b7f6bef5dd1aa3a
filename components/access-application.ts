import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";

/** Who may reach one hostname. */
export interface AccessApplicationArgs {
  accountId: pulumi.Input<string>;
  /** Name of the application, its group, its list and its policy. */
  displayName: string;
  /** Hostname that is guarded, without a path. */
  hostname: pulumi.Input<string>;
  /** Groups whose members may enter beside the members of the list. Default: none. */
  groups?: pulumi.Input<string>[];
  /**
   * E-mail addresses the stack itself keeps on the list. Default: the list's items are data, edited by the dashboard, and
   * the stack leaves them alone.
   */
  members?: pulumi.Input<string>[];
  /** Paths anyone may reach without logging in, such as `/api/health`; sub-paths included. Default: none. */
  publicPaths?: string[];
  /** How long a log-in lasts. Default: `24h`. */
  sessionDuration?: string;
}

/**
 * An Access application with one policy, which allows one group, which includes one e-mail list (spec: "Existing access
 * applications are reconciled to a group-only allow policy").
 *
 * @example
 * ```ts
 * const access = new AccessApplication("acme", {
 *   accountId, displayName: "Tenant acme", hostname: "acme.agents.example.com", publicPaths: ["/api/health"],
 * });
 * ```
 */
export class AccessApplication extends pulumi.ComponentResource {
  /** Audience tag that tokens for the hostname carry. */
  readonly audience: pulumi.Output<string>;
  readonly groupId: pulumi.Output<string>;
  /** The e-mail list of members. */
  readonly listId: pulumi.Output<string>;

  constructor(name: string, args: AccessApplicationArgs, opts?: pulumi.ComponentResourceOptions) {
    super("tenantry:components:AccessApplication", name, {}, opts);
    const { accountId, displayName, hostname, members, publicPaths = [], sessionDuration = "24h" } = args;

    const list = new cloudflare.ZeroTrustList(
      name,
      {
        accountId,
        name: displayName,
        type: "EMAIL",
        description: `Members of ${displayName}`,
        ...(members === undefined ? {} : { items: members.map((value) => ({ value })) }),
      },
      { parent: this, ...(members === undefined ? { ignoreChanges: ["items"] } : {}) },
    );
    const group = new cloudflare.ZeroTrustAccessGroup(
      name,
      {
        accountId,
        name: displayName,
        includes: [{ emailList: { id: list.id } }, ...(args.groups ?? []).map((id) => ({ group: { id } }))],
      },
      { parent: this },
    );
    const allow = new cloudflare.ZeroTrustAccessPolicy(
      name,
      { accountId, name: `${displayName}: members`, decision: "allow", includes: [{ group: { id: group.id } }] },
      { parent: this },
    );
    const application = new cloudflare.ZeroTrustAccessApplication(
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

    if (publicPaths.length > 0) {
      const bypass = new cloudflare.ZeroTrustAccessPolicy(
        `${name}-public`,
        { accountId, name: `${displayName}: public paths`, decision: "bypass", includes: [{ everyone: {} }] },
        { parent: this },
      );
      for (const path of publicPaths) {
        new cloudflare.ZeroTrustAccessApplication(
          `${name}-public${path.replaceAll("/", "-")}`,
          {
            accountId,
            name: `${displayName}: ${path}`,
            type: "self_hosted",
            domain: pulumi.interpolate`${hostname}${path}`,
            policies: [{ id: bypass.id, precedence: 1 }],
          },
          { parent: this },
        );
      }
    }

    this.audience = application.aud;
    this.groupId = group.id;
    this.listId = list.id;
    this.registerOutputs({ audience: this.audience, groupId: this.groupId, listId: this.listId });
  }
}
