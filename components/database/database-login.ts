/** A database login has two roles, which rotations use in turn, so that no request fails while the password changes. */
import * as postgresql from "@pulumi/postgresql";
import type * as pulumi from "@pulumi/pulumi";
import { type LoginKind, loginRoles } from "#database/callers/roles.ts";
import type { Environment } from "#domain/environment.ts";
import { NEVER_ROTATED, ofTwo, type Rotation, validVersions } from "#domain/rotation.ts";
import { EndedSessions } from "../resources/ended-sessions.ts";
import type { TenantryProvider } from "../resources/tenantry-provider.ts";
import { rotatingPassword } from "../rotating.ts";

const PASSWORD_LENGTH = 40;

interface DatabaseLoginArgs {
  environment: Environment;
  rotation: Rotation | undefined;
  /** Roles of which the login is a member. */
  roles: pulumi.Input<string>[];
  /** Whether the login has the rights of `roles` without `SET ROLE`. Default: true. */
  inherit?: boolean;
  /** Provider that logs in as the database's owner. */
  owner: TenantryProvider;
}
export interface DatabaseLogin {
  role: postgresql.Role;
  user: pulumi.Output<string>;
  password: pulumi.Output<string>;
}

export function databaseLogin(
  kind: LoginKind,
  { environment, rotation = NEVER_ROTATED, owner, ...rights }: DatabaseLoginArgs,
  opts: pulumi.CustomResourceOptions,
): DatabaseLogin {
  const names = loginRoles(environment, kind);
  const password = rotatingPassword(
    `${kind}-password`,
    { rotation, length: PASSWORD_LENGTH },
    opts.parent === undefined ? {} : { parent: opts.parent },
  );
  const { used, other } = validVersions(rotation);
  // Consecutive versions use different roles.
  const isFirst = (version: number) => ofTwo(version, [true, false]);
  const loginFor = (first: boolean) => {
    if (isFirst(used) === first) return { login: true, password: password.used };
    if (other !== undefined && password.other !== undefined) return { login: true, password: password.other };
    return { login: false };
  };
  const role = new postgresql.Role(kind, { name: names[0], ...loginFor(true), ...rights }, opts);
  if (rotation.version === 1) return { role, user: role.name, password: password.used };
  // The idle role is kept, because deleting a role deletes what it owns and the rights granted to it.
  const second = new postgresql.Role(`${kind}-b`, { name: names[1], ...loginFor(false), roles: [role.name] }, opts);
  const [user, idle] = isFirst(used) ? [role.name, second.name] : [second.name, role.name];
  if (rotation.step === "done") {
    new EndedSessions(kind, { role: idle, version: rotation.version }, { ...opts, provider: owner });
  }
  return { role, user, password: password.used };
}
