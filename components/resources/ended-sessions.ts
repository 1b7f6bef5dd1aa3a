import * as pulumi from "@pulumi/pulumi";

export interface EndedSessionsArgs {
  role: pulumi.Input<string>;
  version: number;
}

/**
 * Ends the sessions of a role that can no longer log in, because PostgreSQL checks passwords only when a session starts. Running
 * statements have some seconds to finish.
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
