import type { Kysely } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openAs } from "#database/testing/as-caller.ts";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import type { DB } from "#database/types.ts";
import type { ReportedProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { pollProviderKeys } from "./provider-keys.ts";

let database: TestDatabase;
let service: Kysely<DB>;
let acme: string;
beforeAll(async () => {
  database = await startTestDatabase();
  service = openAs(database, "service");
  acme = await insertInstance(database.db, await insertClient(database.db, { slug: "acme" }));
});
afterAll(async () => {
  await service?.destroy();
  await database?.stop();
});
beforeEach(async () => {
  for (const table of ["provider_keys", "events"]) await database.pool.query(`delete from tenantry.${table}`);
});

async function insertKey(provider: string, pushed_at: Date | null = new Date()): Promise<string> {
  const values = { instance_id: acme, provider, credentials: Buffer.alloc(64), key_hint: "hint", created_by: "x" };
  const insert = database.db.insertInto("tenantry.provider_keys").values({ ...values, pushed_at });
  return (await insert.returning("id").executeTakeFirstOrThrow()).id;
}
const poll = (keys: ReportedProviderKey[] | Error) =>
  pollProviderKeys(service, {
    environment: "production",
    dispatch: {
      providerKeys: async () => {
        if (keys instanceof Error) throw keys;
        return { keys };
      },
    },
    timeoutMs: 1_000,
    signal: new AbortController().signal,
  });
const rows = async () =>
  (await database.pool.query("select provider, fault, last_error, last_used_at from tenantry.provider_keys order by 1"))
    .rows;
/** Of the rows' versions: each write creates another. */
const versions = async () =>
  (await database.pool.query("select xmin from tenantry.provider_keys order by provider")).rows;
const events = async () => (await database.pool.query("select kind, data from tenantry.events order by id")).rows;

const AT = "2026-11-26T10:00:00.000Z";
const accepted = { lastUsedAt: AT, fault: null };
const rejected = { lastUsedAt: AT, fault: { kind: "rejected", message: "Incorrect API key", at: AT } } as const;

test("stores what a provider reports of a key, with one event for each change", async () => {
  const [openai, groq] = [await insertKey("openai"), await insertKey("groq")];
  const both = [
    { id: openai, ...rejected },
    { id: groq, ...accepted },
  ];
  expect(await poll(both)).toEqual({ read: 1, unreadable: 0 });
  const written = await versions();
  await poll(both);
  expect(await versions()).toEqual(written);
  const last_used_at = new Date(AT);
  expect(await rows()).toEqual([
    { provider: "groq", fault: null, last_error: null, last_used_at },
    { provider: "openai", fault: "rejected", last_error: "Incorrect API key", last_used_at },
  ]);
  await poll([{ id: openai, ...accepted }]);
  expect(await rows()).toMatchObject([{ fault: null }, { fault: null, last_error: null }]);
  const of = { instance_id: acme, by: "service", provider: "openai", key_id: openai };
  expect(await events()).toEqual([
    { kind: "provider_key.refused", data: { ...of, fault: "rejected" } },
    { kind: "provider_key.accepted", data: of },
  ]);
});

test("ignores reports of keys that were replaced, and keeps a failed push", async () => {
  const openai = await insertKey("openai");
  await poll([{ id: crypto.randomUUID(), ...rejected }]);
  expect(await rows()).toMatchObject([{ fault: null, last_used_at: null }]);
  const failed = { fault: "push_failed", last_error: "x", last_error_at: new Date() };
  await database.db.updateTable("tenantry.provider_keys").set(failed).execute();
  await poll([{ id: openai, ...rejected }]);
  expect(await rows()).toMatchObject([{ fault: "push_failed", last_error: "x" }]);
  expect(await events()).toEqual([]);
});

test("asks no tenant that has no keys, and goes on after one that does not respond", async () => {
  await insertKey("openai", null);
  expect(await poll([])).toEqual({ read: 0, unreadable: 0 });
  await database.db.updateTable("tenantry.provider_keys").set({ pushed_at: new Date() }).execute();
  expect(await poll(new Error("unreachable"))).toEqual({ read: 0, unreadable: 1 });
});
