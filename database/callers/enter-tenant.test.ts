/** The role in which the dashboard serves a request of a tenant's user. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertOwnedRows, type OwnedRows, type Owner } from "../testing/owned-rows.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { databaseRoles } from "./roles.ts";

let database: TestDatabase;
let rows: OwnedRows["rows"];
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  ({ rows } = await insertOwnedRows(database));
});
afterAll(() => database.stop());

test("a request of a tenant's user has the role of the user, or the lower one of its service token", async () => {
  const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
  const { values: users } = rows.get("client_users") ?? { values: {} as Record<Owner, string> };
  const client = await database.pool.connect();
  const enter = async (slug: string, email: string, token: string | null = null) => {
    await client.query(`set local session authorization ${databaseRoles("production").dashboard}`);
    const { rows: entered } = await client.query(
      "select dashboard.enter_tenant($1, $2, $3, false, '', '') as caller, current_user::text as role",
      [slug, email, token],
    );
    const { rows: now } = await client.query("select current_user::text as role");
    await client.query("reset session authorization");
    return [entered[0]?.caller?.role ?? null, now[0]?.role];
  };
  try {
    for (const [token, role, hours] of [
      ["low.access", "BASE_USER", 1],
      ["high.access", "ADMIN", 1],
      ["expired.access", "ADMIN", -1],
    ])
      await client.query(
        `insert into tenantry.service_tokens
          (environment, client_id, client_user_id, name, role, created_by, expires_at, access_token_id, access_client_id)
        values ('production', $1, $2, $3, $4, 'x', now() + $5 * interval '1 hour', $3, $3)`,
        [clients.north, users.north, token, role, hours],
      );
    const cases: [string, string, string | null, unknown][] = [
      ["north", "Ada@north.test", null, ["ADMIN", "tenantry_client_admin"]],
      ["north", "ada@north.test", "low.access", ["BASE_USER", "tenantry_client_user"]],
      ["north", "ada@north.test", "high.access", ["ADMIN", "tenantry_client_admin"]],
      ["north", "ada@north.test", "expired.access", [null, "tenantry_dashboard"]],
      ["north", "ada@north.test", "unknown.access", [null, "tenantry_dashboard"]],
      ["south", "ada@north.test", null, [null, "tenantry_dashboard"]],
      ["south", "ada@south.test", "high.access", [null, "tenantry_dashboard"]],
      ["north", "root@north.test", null, [null, "tenantry_dashboard"]],
    ];
    for (const [slug, email, token, expected] of cases) {
      await client.query("begin");
      expect([slug, email, token, await enter(slug, email, token)]).toEqual([slug, email, token, expected]);
      await client.query("rollback");
    }
  } finally {
    client.release(true);
  }
});

test.each(["client_admin", "client_user"] as const)(
  "a %s reads nothing after its user was removed or demoted",
  async (kind) => {
    const { values } = rows.get("client_users") ?? { values: {} as Record<Owner, string> };
    const client = await database.pool.connect();
    const count = async (change: string) => {
      await client.query("begin");
      await client.query(change, [values.north]);
      await client.query("select set_config('role', $1, true), set_config('tenantry.caller', $2, true)", [
        databaseRoles("production")[kind],
        values.north,
      ]);
      const found = await client.query("select from tenantry.clients");
      await client.query("rollback");
      return found.rowCount;
    };
    try {
      expect(await count("delete from tenantry.client_users where id = $1")).toBe(0);
      expect(
        await count("update tenantry.client_users set status = 'rejected', validated_at = null where id = $1"),
      ).toBe(0);
      const demoted = await count("update tenantry.client_users set role = 'BASE_USER' where id = $1");
      expect(demoted).toBe(kind === "client_admin" ? 0 : 1);
    } finally {
      client.release(true);
    }
  },
);

test("a viewer reads what an ADMIN reads, and changes nothing", async () => {
  const { values: clients } = rows.get("clients") ?? { values: {} as Record<Owner, string> };
  const client = await database.pool.connect();
  const visible = async () => (await client.query("select id from tenantry.clients")).rows;
  const enter = async (email: string) => {
    await client.query("begin");
    await client.query(`set local session authorization ${databaseRoles("production").dashboard}`);
    await client.query("select dashboard.enter_tenant('north', $1, null, true, '', '')", [email]);
  };
  try {
    await enter("root@platform.test");
    expect(await visible()).toEqual([{ id: clients.north }]);
    await expect(client.query("delete from tenantry.client_users")).rejects.toThrow("read-only transaction");
    await client.query("rollback");
    for (const email of ["root@north.test", "ada@north.test", "nobody@north.test"]) {
      await enter(email);
      await expect(visible()).rejects.toThrow("permission denied");
      await client.query("rollback");
    }
    // The settings alone give no rights in a transaction that can write.
    await client.query("begin");
    await client.query(
      "select set_config('role', 'tenantry_client_admin', true), set_config('tenantry.viewed_client', $1, true), set_config('tenantry.caller', (select id::text from tenantry.dashboard_users where email = 'root@platform.test'), true)",
      [clients.north],
    );
    expect(await visible()).toEqual([]);
    await client.query("rollback");
  } finally {
    client.release(true);
  }
});
