import { afterAll, beforeAll, expect, test } from "vitest";
import { databaseAddress } from "#database/connection/address.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { dropUnrecordedRoles, hasPendingRoles } from "./pending-roles.ts";

const ROLE = "postgresql:index/role:Role";
const PROVIDER = "urn:pulumi:test::tenantry::pulumi:providers:postgresql::postgresql";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.stop());

/** An exported state with known roles and pending creates. */
function exported(known: string[], creating: string[]) {
  const { host, port, database: name, user: username, password, sslmode } = databaseAddress(database.url);
  const inputs = {
    ...{ host, port, database: name, username, sslmode },
    password: { plaintext: JSON.stringify(password) },
  };
  const role = (name: string) => ({ type: ROLE, id: name, provider: `${PROVIDER}::1`, inputs: { name } });
  return {
    resources: [{ urn: PROVIDER, type: "pulumi:providers:postgresql", id: "1", inputs }, ...known.map(role)],
    pending_operations: creating.map((name) => ({ type: "creating", resource: role(name) })),
  };
}

const roles = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname like 'pending%' order by 1",
  );
  return rows.map(({ name }) => name);
};

test("drops only roles of pending creates that exist and are not in the stack", async () => {
  await database.pool.query('create role "pending made"; create role "pending known"; create role "pending other"');
  const state = exported(["pending known"], ["pending made", "pending known", "pending unmade"]);
  expect(hasPendingRoles(state)).toBe(true);
  expect(await dropUnrecordedRoles(state, state)).toEqual(["database role pending made"]);
  expect(await roles()).toEqual(["pending known", "pending other"]);
  expect(hasPendingRoles(exported(["pending known"], []))).toBe(false);
});

test("does not drop a role that owns objects", async () => {
  await database.pool.query('create role "pending owner"; create table public.owned (id int)');
  await database.pool.query('alter table public.owned owner to "pending owner"');
  const state = exported([], ["pending owner"]);
  await expect(dropUnrecordedRoles(state, state)).rejects.toThrow(
    "cannot be dropped because some objects depend on it",
  );
  expect(await roles()).toContain("pending owner");
});
