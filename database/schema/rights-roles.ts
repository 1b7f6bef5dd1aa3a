/** Roles with the platform's rights on tables and functions, shared by all environments. */
import pg from "pg";
import { OBJECT_RIGHTS, rightsRole } from "../callers/grants.ts";
import { callerKinds } from "../callers/roles.ts";
import type { Queryable } from "./bookkeeping.ts";

export const KINDS_WITH_RIGHTS = callerKinds.filter((kind) => OBJECT_RIGHTS.some(({ to }) => to === kind));

export const RIGHTS_ROLE_NAMES: readonly string[] = KINDS_WITH_RIGHTS.map(rightsRole);

export async function existingRightsRoles(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname = any ($1) order by 1",
    [[...RIGHTS_ROLE_NAMES]],
  );
  return rows.map(({ name }) => name);
}

/** Runs within the caller's transaction; concurrent deployments wait for each other. @returns the created roles */
export async function makeRightsRoles(client: Queryable, names: readonly string[]): Promise<string[]> {
  await client.query("select pg_advisory_xact_lock(hashtext('tenantry rights roles'))");
  const existing = await existingRightsRoles(client);
  const missing = names.filter((name) => !existing.includes(name));
  for (const name of missing) await client.query(`create role ${pg.escapeIdentifier(name)} nologin`);
  return missing;
}
