import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { resolvedDoor } from "#workers/contracts/door-entry.ts";
import { resolvedTenant } from "#workers/contracts/tenant-entry.ts";
import { insertClient, insertInstance } from "../testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { listDoors } from "./doors.ts";

let database: TestDatabase;
/** ID of the instance. */
let acme: string;
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  acme = await insertInstance(database.db, await insertClient(database.db, { slug: "acme" }));
});
afterAll(() => database.stop());

/** Returns the result of a function of schema `api`, called as the dispatch Worker's role. */
async function call(statement: ReturnType<typeof sql<{ value: unknown }>>): Promise<unknown> {
  return database.db.transaction().execute(async (transaction) => {
    await sql`set local role tenantry_dispatch`.execute(transaction);
    return (await statement.execute(transaction)).rows[0]?.value;
  });
}

const hash = (byte: number) => Buffer.alloc(32, byte);
const hour = () => new Date(Date.now() + 3_600_000);
const insertDoor = async (values: object = {}, instance = acme) =>
  (
    await database.db
      .insertInto("tenantry.doors")
      .values({
        ...{ instance_id: instance, kind: "slack", name: "one", key_hash: hash(1), key_hint: "hint" },
        ...{ secrets: Buffer.alloc(90, 7), secret_names: ["signingSecret"], created_by: "x" },
        ...values,
      })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
const resolveDoor = async (key: string) =>
  resolvedDoor.parse(await call(sql`select api.resolve_door(${key}) as value`)).door;
const touch = (id: string) => call(sql`select api.touch_door(${id}) as value`);
const touched = async (id: string) =>
  (await database.pool.query("select last_used_at, version from tenantry.doors where id = $1", [id])).rows[0];
afterEach(() => database.pool.query("delete from tenantry.doors"));

test("returns a door with the tenant of resolve_tenant, and nothing for another key", async () => {
  const id = await insertDoor();
  const sealed = Buffer.alloc(90, 7).toString("base64");
  expect(await resolveDoor(hash(1).toString("hex"))).toEqual({
    ...{ id, kind: "slack", name: "one", state: "active", secrets: sealed, former_secrets: null },
    tenant: resolvedTenant.parse(await call(sql`select api.resolve_tenant('acme', null) as value`)).tenant,
  });
  for (const key of ["", "no hash", hash(2).toString("hex"), hash(1).toString("hex").slice(1), "G".repeat(64)]) {
    expect(await resolveDoor(key)).toBeNull();
  }
});

test("accepts the former key and the former secrets until they expire", async () => {
  const former = { former_key_hash: hash(2), former_secrets: Buffer.alloc(90, 8) };
  await insertDoor({ ...former, former_key_until: hour(), former_until: hour() });
  const now = { name: "one", former_secrets: Buffer.alloc(90, 8).toString("base64") };
  expect(await resolveDoor(hash(1).toString("hex"))).toMatchObject(now);
  expect(await resolveDoor(hash(2).toString("hex"))).toMatchObject(now);
  await database.pool.query("update tenantry.doors set former_key_until = now(), former_until = now()");
  expect(await resolveDoor(hash(1).toString("hex"))).toMatchObject({ name: "one", former_secrets: null });
  expect(await resolveDoor(hash(2).toString("hex"))).toBeNull();
});

test("finds and touches doors of the caller's environment only", async () => {
  const client = await insertClient(database.db, { slug: "lab", environment: "development" });
  const id = await insertDoor({}, await insertInstance(database.db, client));
  expect(await resolveDoor(hash(1).toString("hex"))).toBeNull();
  await touch(id);
  expect((await touched(id)).last_used_at).toBeNull();
});

test("records a use at most once a minute, which is no change of the door", async () => {
  const id = await insertDoor();
  await touch(id);
  const first = await touched(id);
  expect(first).toMatchObject({ last_used_at: expect.any(Date), version: 1 });
  await touch(id);
  expect(await touched(id)).toEqual(first);
  await database.pool.query("update tenantry.doors set last_used_at = now() - interval '61 seconds'");
  await touch(id);
  expect((await touched(id)).last_used_at.getTime()).toBeGreaterThan(first.last_used_at.getTime() - 1);
  const { rows } = await database.pool.query("select action, after from tenantry.audit_log where entity_id = $1", [id]);
  expect(rows).toEqual([{ action: "insert", after: expect.objectContaining({ name: "one", key_hint: "hint" }) }]);
  const hidden = ["key_hash", "former_key_hash", "secrets", "former_secrets"];
  expect(Object.keys(rows[0].after).filter((name) => hidden.includes(name))).toEqual([]);
});

test("records why a door last refused a request, once a minute and without a new version", async () => {
  const id = await insertDoor();
  const refuse = (reason: string) => call(sql`select api.record_door_refusal(${id}, ${reason}) as value`);
  const recorded = async () =>
    (await database.pool.query("select last_refusal, version from tenantry.doors where id = $1", [id])).rows[0];
  await refuse("timestamp");
  await refuse("signature_wrong");
  expect(await recorded()).toEqual({ last_refusal: "timestamp", version: 1 });
  await database.pool.query("update tenantry.doors set last_refused_at = now() - interval '61 seconds'");
  await refuse("signature_wrong");
  expect(await recorded()).toEqual({ last_refusal: "signature_wrong", version: 1 });
  expect(await listDoors(database.db, "production", acme)).toMatchObject([
    {
      last_refused_at: expect.any(Date),
      last_refusal: expect.stringMatching(/^The signature or token is wrong\. Compare/),
    },
  ]);
});

test("keeps names within OpenClaw's paths and unique in an instance", async () => {
  for (const name of ["agent", "wake", "", "-a", "a-", "A", "a_b", "a".repeat(41), "a\n"]) {
    await expect(insertDoor({ name }), name).rejects.toMatchObject({ constraint: "doors_name_is_a_label" });
  }
  await insertDoor({ kind: "openclaw", name: "agent" });
  await expect(insertDoor({ name: "agent" })).rejects.toMatchObject({ constraint: "doors_name_is_a_label" });
  await insertDoor({ name: "one", key_hash: hash(3) });
  await expect(insertDoor({ key_hash: hash(4) })).rejects.toMatchObject({
    constraint: "doors_instance_id_name_key",
  });
});

test("reserves the slug of their host for new clients only", async () => {
  await expect(insertClient(database.db, { slug: "hooks" })).rejects.toMatchObject({ code: "TN051" });
  await database.pool.query(`
    set session_replication_role = replica;
    insert into tenantry.clients (slug, name, billing_plan) values ('hooks', 'Hooks', 'free');
    set session_replication_role = origin`);
  await database.pool.query("update tenantry.clients set name = 'Hooks Ltd' where slug = 'hooks'");
  const { rows } = await database.pool.query(`
    insert into tenantry.clients (slug, name, billing_plan) values ('hooks', 'Hooks & Co', 'free')
    on conflict (environment, slug) do update set name = excluded.name returning name`);
  expect(rows).toEqual([{ name: "Hooks & Co" }]);
  await database.pool.query("delete from tenantry.clients where slug = 'hooks'");
});
