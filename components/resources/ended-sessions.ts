import * as pulumi from "@pulumi/pulumi";

export interface EndedSessionsArgs {
  /** Role that cannot log in any more. */
  role: pulumi.Input<string>;
  /** Sessions are ended again when it changes. */
  version: number;
}

/**
 * Ends the sessions of a role that cannot log in any more: PostgreSQL asks for a password only when a session begins. Sessions that carry
 * out a statement have some seconds to finish.
 *
 * @example
 * ```ts
 * new EndedSessions("service", { role: idle.name, version: 2 }, { provider: owner });
 * ```
 */
export class EndedSessions extends pulumi.CustomResource {
  constructor(name: string, args: EndedSessionsArgs, opts?: pulumi.CustomResourceOptions) {
    super("tenantry:index:EndedSessions", name, { ...args }, opts);
  }
}
