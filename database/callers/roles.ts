import type { Environment } from "#domain/environment.ts";

/** Kinds of callers, each with a role. `tenantry.caller_kind` returns these names. */
export const callerKinds = [
  /** Named in the service-role key; executes only the functions of schema `api`. */
  "dispatch",
  /** The dashboard Worker, through Hyperdrive: executes the functions of schema `dashboard`, and sets the role of the person who calls. */
  "dashboard",
  "platform_root",
  /** Set for a request of a partner root, which sees only its partner's rows. */
  "partner_root",
  /** Set for a request of a client's ADMIN, which sees only its client's rows. */
  "client_admin",
  /** The same for a BASE_USER, which changes nothing. */
  "client_user",
  "service",
  /** Stacks, for rows of partners, clients, instances and pool entries. */
  "provisioner",
] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Returns the names of PostgreSQL roles, which all databases of a server share. */
export function databaseRoles(environment: Environment): Readonly<Record<CallerKind, string>> {
  const suffix = environment === "production" ? "" : `_${environment}`;
  const names = callerKinds.map((kind) => [kind, `tenantry_${kind}${suffix}`]);
  return Object.fromEntries(names) as Record<CallerKind, string>;
}

export const loginKinds = ["dashboard", "provisioner", "service"] as const satisfies readonly CallerKind[];
export type LoginKind = (typeof loginKinds)[number];

/**
 * Returns the two roles of a login, of which one is idle (`domain/rotation.ts`). The first has the kind's rights; the second is its member.
 * No environment is named `b`, so the second's name is unique.
 */
export function loginRoles(environment: Environment, kind: LoginKind): readonly [first: string, second: string] {
  const first = databaseRoles(environment)[kind];
  return [first, `${first}_b`];
}

/** Kinds of the people who call the API. */
export const personKinds = [
  "platform_root",
  "partner_root",
  "client_admin",
  "client_user",
] as const satisfies readonly CallerKind[];
