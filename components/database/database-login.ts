/** How a kind of caller logs in to the database: by one of two roles, so that its password is rotated without a refused request. */
import * as postgresql from "@pulumi/postgresql";
import type * as pulumi from "@pulumi/pulumi";
import { type LoginKind, loginRoles } from "#database/callers/roles.ts";
import type { Environment } from "#domain/environment.ts";
import { NEVER_ROTATED, ofTwo, type Rotation, validVersions } from "#domain/rotation.ts";
import { EndedSessions } from "../resources/ended-sessions.ts";
import type { TenantryProvider } from "../resources/tenantry-provider.ts";
import { rotatingPassword } from "../rotating.ts";

const PASSWORD_LENGTH = 40;

export interface DatabaseLoginArgs {
  environment: Environment;
  /** How far the rotation of its password is. Default: it was never rotated. */
  rotation: Rotation | undefined;
  /** The roles whose rights it has. */
  roles: pulumi.Input<string>[];
  /** Whether it has these rights without taking their role. Default: true. */
  inherit?: boolean;
  /** Provider that is logged in as the database's owner. */
  owner: TenantryProvider;
}

export interface DatabaseLogin {
  /** The role with the kind's rights. */
  role: postgresql.Role;
  /** The role that logs in. */
  user: pulumi.Output<string>;
  /** A secret. */
  password: pulumi.Output<string>;
}

/** @param kind is the resources' name too */
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
  // A version logs in as the role that the version before does not use.
  const isFirst = (version: number) => ofTwo(version, [true, false]);
  const loginOf = (first: boolean) => {
    if (isFirst(used) === first) return { login: true, password: password.used };
    if (other !== undefined && password.other !== undefined) return { login: true, password: password.other };
    return { login: false };
  };
  const role = new postgresql.Role(kind, { name: names[0], ...loginOf(true), ...rights }, opts);
  if (rotation.version === 1) return { role, user: role.name, password: password.used };
  // It stays when it is idle: what it owns or was granted by hand goes with a role.
  const second = new postgresql.Role(`${kind}-b`, { name: names[1], ...loginOf(false), roles: [role.name] }, opts);
  const [user, idle] = isFirst(used) ? [role.name, second.name] : [second.name, role.name];
  if (rotation.step === "done") {
    new EndedSessions(kind, { role: idle, version: rotation.version }, { ...opts, provider: owner });
  }
  return { role, user, password: password.used };
}
