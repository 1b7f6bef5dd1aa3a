/** Grants the rights in `database/callers/grants.ts` per object, and revokes others. */

import { environments } from "#domain/environment.ts";
import { OBJECT_RIGHTS, rightsRole, SCHEMAS } from "../../callers/grants.ts";
import { type CallerKind, databaseRoles, loginKinds, loginRoles } from "../../callers/roles.ts";
import type { Queryable } from "../bookkeeping.ts";
import { KINDS_WITH_RIGHTS, makeRightsRoles, RIGHTS_ROLE_NAMES } from "../rights-roles.ts";

interface Right {
  role: string;
  /** Such as `table tenantry.clients`. */
  object: string;
  privilege: string;
}

interface Membership {
  role: string;
  member: string;
}

export interface RightsDifference {
  missingRoles: string[];
  missing: Right[];
  undeclared: Right[];
  missingMembers: Membership[];
}

/** Function names are unique, because overloads are rejected. */
const LIVE_RIGHTS = `
  select r.rolname as role, object, e.privilege_type as privilege
  from (
    select 'schema ' || nspname as object, nspacl as acl from pg_namespace where nspname = 'tenantry'
    union all
    select 'table ' || oid::regclass as object, relacl as acl from pg_class
    where relnamespace = any ($1::regnamespace[]) and relkind in ('r', 'p', 'v') and not relispartition
    union all
    select format('function %s.%s', pronamespace::regnamespace, proname), proacl from pg_proc where pronamespace = 'tenantry'::regnamespace
  ) objects, aclexplode(acl) e join pg_roles r on r.oid = e.grantee
  where r.rolname = any ($2)`;

function declaredRights(): Right[] {
  return OBJECT_RIGHTS.flatMap(({ to, objectType, object, privileges }) =>
    privileges.map((privilege) => ({ role: rightsRole(to), object: `${objectType} ${object}`, privilege })),
  );
}

const keyOf = ({ role, object, privilege }: Right) => `${privilege} on ${object} to ${role}`;

const rolesOf = (kind: CallerKind) => environments.map((environment) => databaseRoles(environment)[kind]);

/** The second logins are members of the first ones. */
const SECOND_LOGINS: readonly Membership[] = environments.flatMap((environment) =>
  loginKinds.map((kind) => {
    const [role, member] = loginRoles(environment, kind);
    return { role, member };
  }),
);

const MEMBERSHIPS: readonly Membership[] = [
  ...KINDS_WITH_RIGHTS.flatMap((kind) => rolesOf(kind).map((member) => ({ role: rightsRole(kind), member }))),
  ...SECOND_LOGINS,
];

/** Compares the database's rights with the declared ones. */
export async function rightsDifference(client: Queryable): Promise<RightsDifference> {
  await client.query("set local search_path = ''");
  const members = [...new Set(MEMBERSHIPS.flatMap(({ role, member }) => [role, member]))];
  const names = await client.query<{ name: string }>("select rolname as name from pg_roles where rolname = any ($1)", [
    members,
  ]);
  const existing = new Set(names.rows.map(({ name }) => name));
  const live = await client.query<Right>(LIVE_RIGHTS, [[...SCHEMAS], members]);
  const memberships = await client.query<Membership>(
    `select pg_get_userbyid(roleid) as role, pg_get_userbyid(member) as member from pg_auth_members
     where pg_get_userbyid(roleid) = any ($1)`,
    [members],
  );
  const declared = new Map(declaredRights().map((right) => [keyOf(right), right]));
  const granted = new Map(live.rows.map((right) => [keyOf(right), right]));
  const joined = new Set(memberships.rows.map(({ role, member }) => `${role} ${member}`));
  return {
    missingRoles: RIGHTS_ROLE_NAMES.filter((name) => !existing.has(name)),
    missing: [...declared].filter(([key]) => !granted.has(key)).map(([, right]) => right),
    undeclared: [...granted].filter(([key]) => !declared.has(key)).map(([, right]) => right),
    missingMembers: MEMBERSHIPS.filter(
      ({ role, member }) =>
        existing.has(member) &&
        (RIGHTS_ROLE_NAMES.includes(role) || existing.has(role)) &&
        !joined.has(`${role} ${member}`),
    ),
  };
}

/** Runs within the caller's transaction. Memberships are granted before rights are revoked, so that a role with a direct right keeps it. */
export async function applyRights(client: Queryable): Promise<RightsDifference> {
  const difference = await rightsDifference(client);
  await makeRightsRoles(client, difference.missingRoles);
  const statements = [
    ...difference.missing.map(({ privilege, object, role }) => `grant ${privilege} on ${object} to ${role}`),
    ...difference.missingMembers.map(({ role, member }) => `grant ${role} to ${member}`),
    ...difference.undeclared.map(({ privilege, object, role }) => `revoke ${privilege} on ${object} from ${role}`),
  ];
  if (statements.length > 0) await client.query(statements.join(";\n"));
  return difference;
}

export function rightsFindings({ missing, undeclared, missingRoles, missingMembers }: RightsDifference): string[] {
  return [
    ...missingRoles.map((role) => `The role ${role} is missing.`),
    ...byRole(missing).map(([role, rights]) => `The role ${role} lacks ${rights}.`),
    ...missingMembers.map(({ role, member }) => `The role ${member} is not a member of ${role}.`),
    ...byRole(undeclared).map(([role, rights]) => `The role ${role} has rights that are not declared: ${rights}.`),
  ];
}

function byRole(rights: readonly Right[]): [role: string, rights: string][] {
  return [...Map.groupBy(rights, ({ role }) => role)].map(([role, own]) => [
    role,
    own.map(({ privilege, object }) => `${privilege} on ${object}`).join(", "),
  ]);
}
