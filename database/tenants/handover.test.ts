/** Manager and stack of a tenant, changed by the stacks' role, while no operation is open and one handover at a time. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import {
  changeTenantRows,
  findTenantRows,
  type OpenJob,
  setManager,
  setOwningStack,
  type TenantRows,
  tryLockHandover,
} from "./handover.ts";

let database: TestDatabase;
let provisioner: Kysely<DB>;
const connect = () => {
  const pool = new pg.Pool({ connectionString: database.urlOf("provisioner"), max: 1 });
  // The server stops before the connection that releases its lock.
  pool.on("error", () => {});
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
};
beforeAll(async () => {
  database = await startTestDatabase();
  provisioner = connect();
});
afterAll(async () => {
  await provisioner?.destroy();
  await database?.stop();
});

const urn = (stack: string, name: string) => `urn:pulumi:${stack}::tenantry::x$tenantry:index:DatabaseRecord::${name}`;
const DIGEST = `registry.example/gateway@sha256:${"0".repeat(64)}`;

async function tenant(slug: string): Promise<TenantRows> {
  const client = await insertClient(database.db, { slug, managed_by: "dashboard", owner: urn("whole", "client-x") });
  const owner = urn("whole", "instance-x");
  await insertInstance(database.db, client, { managed_by: "dashboard", owner, token_version: 3, ai_gateway_id: "a" });
  return found(slug);
}

/** Inserts a door that the stack declares, or the dashboard's without an owner. */
const insertDoor = (instance_id: string, name: string, owner: string | null = null) =>
  database.db
    .insertInto("tenantry.doors")
    .values({
      ...{ instance_id, name, owner, kind: "bearer", managed_by: owner === null ? "dashboard" : "git" },
      ...{ key_hash: Buffer.alloc(32, name), key_hint: "hint", secrets: Buffer.alloc(40), secret_names: ["token"] },
      created_by: "x",
    })
    .execute();
const doors = async () =>
  (await database.pool.query("select name, managed_by, owner from tenantry.doors order by name")).rows;

async function found(slug: string): Promise<TenantRows> {
  const rows = await findTenantRows(provisioner, "production", slug);
  if (rows === undefined) throw new Error(`there is no ${slug}`);
  return rows;
}

test("finds a tenant by environment and slug, and hands it over to Git, the dashboard and another stack", async () => {
  const before = await tenant("acme");
  expect(before).toMatchObject({ managedBy: "dashboard", instance: { tokenVersion: 3, gatewayId: "a", image: null } });
  expect(await findTenantRows(provisioner, "staging", "acme")).toBeUndefined();
  expect(await findTenantRows(provisioner, "production", "nobody")).toBeUndefined();

  await insertDoor(before.instance?.id ?? "", "declared", urn("whole", "acme.declared"));
  await insertDoor(before.instance?.id ?? "", "own");
  const change = (work: Parameters<typeof changeTenantRows>[2]) => changeTenantRows(provisioner, before, work);
  await change(async (tx, rows) => void (await setManager(tx, rows, "git")));
  expect(await found("acme")).toMatchObject({ managedBy: "git", instance: { managedBy: "git", tokenVersion: 3 } });

  const release = (image: string | undefined) =>
    change(async (tx, rows) => {
      if (!(await setManager(tx, rows, "dashboard", { tokenVersion: 5, image }))) throw new Error("no such image");
    });
  await expect(release(DIGEST)).rejects.toThrow("no such image");
  expect(await found("acme")).toMatchObject({ managedBy: "git", instance: { managedBy: "git", tokenVersion: 3 } });
  await database.db
    .insertInto("tenantry.images")
    .values({ environment: "production", reference: DIGEST, gateway: "g", gateway_version: "1" })
    .execute();
  await release(DIGEST);
  expect(await found("acme")).toMatchObject({ managedBy: "dashboard", instance: { tokenVersion: 5, image: DIGEST } });
  expect(await doors()).toMatchObject([{ managed_by: "dashboard" }, { managed_by: "dashboard" }]);
  await release(undefined);
  expect(await found("acme")).toMatchObject({ instance: { image: null } });

  await change((tx, rows) => setOwningStack(tx, rows, "tenantry/prod-acme"));
  expect(await found("acme")).toMatchObject({
    owner: urn("prod-acme", "client-x"),
    instance: { owner: urn("prod-acme", "instance-x") },
  });
  await change(async (tx, rows) => void (await setManager(tx, rows, "git")));
  expect(await doors()).toEqual([
    { name: "declared", managed_by: "git", owner: urn("prod-acme", "acme.declared") },
    { name: "own", managed_by: "dashboard", owner: null },
  ]);
  await database.pool.query("delete from tenantry.instances where client_id = $1", [before.clientId]);
  await database.pool.query("delete from tenantry.clients where id = $1", [before.clientId]);
  expect(await change(async () => {})).toBe(false);
});

test("reports open operations and rollouts only", async () => {
  const rows = await tenant("busy");
  const { pool } = database;
  const open = async () => {
    let reported: readonly OpenJob[] = [];
    await changeTenantRows(provisioner, rows, async (_tx, _rows, jobs) => {
      reported = jobs;
    });
    return reported.map(({ kind, status }) => `${kind} ${status}`);
  };
  expect(await open()).toEqual([]);
  await pool.query(
    `insert into tenantry.jobs (environment, kind, client_id, instance_id, slug, requested_by)
     values ('production', 'freeze', $1, $2, 'busy', 'x')`,
    [rows.clientId, rows.instance?.id],
  );
  const { rows: rollouts } = await pool.query(
    `insert into tenantry.rollouts (environment, image_id, waves, soak_minutes, notice_hours, requested_by)
     select 'production', id, '{100}', 0, 0, 'x' from tenantry.images limit 1 returning id`,
  );
  await pool.query("insert into tenantry.rollout_tenants (rollout_id, instance_id, wave) values ($1, $2, 0)", [
    rollouts[0].id,
    rows.instance?.id,
  ]);
  expect(await open()).toEqual(["freeze queued", "a rollout running"]);
  await pool.query("update tenantry.jobs set status = 'cancelled', ended_at = now()");
  await pool.query("update tenantry.rollouts set status = 'stopped', ended_at = now()");
  expect(await open()).toEqual([]);
});

test("refuses a second handover of a tenant until the first has ended, even if its process was killed", async () => {
  const first = connect();
  const second = connect();
  expect(await tryLockHandover(first, "production", "acme")).toBe(true);
  expect(await tryLockHandover(second, "production", "acme")).toBe(false);
  expect(await tryLockHandover(second, "staging", "acme")).toBe(true);
  await first.destroy();
  await expect.poll(() => tryLockHandover(second, "production", "acme")).toBe(true);
  await second.destroy();
});
