import type { Environment } from "#domain/environment.ts";

/** Kinds of callers, each with a role of its own; `tenantry.caller_kind` tells them by these names. */
export const callerKinds = [
  /** Named in the service-role key; may only execute the functions of schema `api`. */
  "dispatch",
  /** The dashboard Worker's, through Hyperdrive: may only execute the functions of schema `dashboard`, and take a root's role. */
  "dashboard",
  /** Taken for a request of a platform root. */
  "platform_root",
  /** Taken for a request of a partner root, whose partner's rows are all that it sees. */
  "partner_root",
  /** The automation service's. */
  "service",
  /** The stacks', for rows of partners, clients, instances and pool entries. */
  "provisioner",
] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Names of PostgreSQL roles, which a whole server shares. */
export function databaseRoles(environment: Environment): Readonly<Record<CallerKind, string>> {
  const suffix = environment === "production" ? "" : `_${environment}`;
  const names = callerKinds.map((kind) => [kind, `tenantry_${kind}${suffix}`]);
  return Object.fromEntries(names) as Record<CallerKind, string>;
}

/** The kinds that log in with a password of their own. */
export const loginKinds = ["dashboard", "provisioner", "service"] as const satisfies readonly CallerKind[];
export type LoginKind = (typeof loginKinds)[number];

/**
 * The two roles by which a kind logs in, one while the other is idle (`domain/rotation.ts`). The first has the kind's rights; the second is its
 * member, and has none of its own. No environment is called `b`, so that the second's name is nobody else's.
 */
export function loginRoles(environment: Environment, kind: LoginKind): readonly [first: string, second: string] {
  const first = databaseRoles(environment)[kind];
  return [first, `${first}_b`];
}

/** The kinds whose role the dashboard takes for a request. */
export const rootKinds = ["platform_root", "partner_root"] as const satisfies readonly CallerKind[];
