import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSlug } from "../domain/slug.ts";
import { runMigrations } from "./migrations.ts";
import { rollBackTo } from "./testing/roll-back.ts";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { generateTypes } from "./type-generation.ts";

/** The last migration of the release before the control plane. */
const RELEASED = "20261122000003";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.stop());

async function objects(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    select 'table ' || oid::regclass as name from pg_class where relnamespace in ('tenantry'::regnamespace, 'api'::regnamespace, 'dashboard'::regnamespace)
    union all
    select 'function ' || oid::regprocedure from pg_proc where pronamespace in ('tenantry'::regnamespace, 'api'::regnamespace, 'dashboard'::regnamespace)
    order by 1`);
  return rows.map((row) => row.name).filter((name) => !name.includes("schema_migrations"));
}

test("every migration goes up, down to nothing, and up again", async () => {
  await runMigrations(database.url);
  const up = await objects();
  expect(up).toContain("table tenantry.clients");
  const { rows } = await database.pool.query("select version from tenantry.schema_migrations");
  for (const _ of rows) await runMigrations(database.url, "rollback");
  expect(await objects()).toEqual([]);
  await runMigrations(database.url);
  expect(await objects()).toEqual(up);
});

test("rows of the release before become the control plane's", async () => {
  await runMigrations(database.url);
  await rollBackTo(database, RELEASED);
  await database.pool.query(`
    with partner as (insert into tenantry.partners (slug, name) values ('north', 'North') returning id),
      client as (insert into tenantry.clients (slug, name, billing_plan, partner_id)
        select 'acme', 'Acme', 'pro', id from partner union all select 'inner', 'Inner', 'pro', null returning id, slug),
      instance as (insert into tenantry.instances (client_id, environment, worker_name, status)
        select id, 'production', slug, case slug when 'acme' then 'provisioning' else 'running' end from client returning id, client_id),
      member as (insert into tenantry.client_users (client_id, email, role, status, validated_at, cf_access_identity)
        select id, 'ada@acme.test', 'ADMIN', 'validated', now(), '{"email":"ada@acme.test"}' from client returning id, client_id)
    insert into tenantry.client_user_instances (client_user_id, instance_id)
      select member.id, instance.id from member join instance using (client_id)`);
  await runMigrations(database.url);
  const all = async (statement: string) => (await database.pool.query(statement)).rows;
  // One person a partner, and one for internal clients.
  expect(
    await all(`select c.slug, p.slug as partner, u.email, u.cf_access_identity ->> 'email' as identity
      from tenantry.client_users m join tenantry.users u on u.id = m.user_id join tenantry.clients c on c.id = m.client_id
      left join tenantry.partners p on p.id = u.partner_id order by c.slug`),
  ).toEqual([
    { slug: "acme", partner: "north", email: "ada@acme.test", identity: "ada@acme.test" },
    { slug: "inner", partner: null, email: "ada@acme.test", identity: "ada@acme.test" },
  ]);
  expect(
    await all(`select worker_name, generation, state_deadline > now() as bounded from tenantry.instances order by 1`),
  ).toEqual([
    { worker_name: "acme", generation: "1", bounded: true },
    { worker_name: "inner", generation: "1", bounded: null },
  ]);
  expect(await all("select distinct managed_by, version from tenantry.clients")).toEqual([
    { managed_by: "git", version: 1 },
  ]);
  await rollBackTo(database, "");
});

test("a failed migration says why and shows no password", async () => {
  const url = new URL(database.url);
  url.password = "not-the-password";
  const failure = await runMigrations(url.href).then(String, String);
  expect(failure).toMatch(/The migrations did not run: .*password authentication failed/);
  expect(failure).not.toContain("not-the-password");
});

test("the generated types fit the migrations", async () => {
  await runMigrations(database.url);
  await generateTypes(database.url, fileURLToPath(new URL("types.ts", import.meta.url)), true);
});

test("the database accepts just the slugs that the domain accepts", async () => {
  await runMigrations(database.url);
  await database.pool.query(`
    create function public.accepts(slug text) returns boolean language plpgsql as $$
    begin
      insert into tenantry.clients (slug, name, billing_plan) values (slug, slug, 'free');
      delete from tenantry.clients c where c.slug = accepts.slug;
      return true;
    exception when check_violation then
      return false;
    end $$`);
  const label = fc.string({ unit: fc.constantFrom(..."abz019-"), maxLength: 64 });
  const nearly = fc
    .tuple(
      fc.constantFrom("", "xn--", "-", "dash", "dev-dash", "staging-dash"),
      label,
      fc.constantFrom("", "-dev", "-staging", "-", "\n", "A", "é", "dev"),
    )
    .map((parts) => parts.join(""));
  const anything = fc
    .string({ unit: "binary", maxLength: 8 })
    .filter((text) => !text.includes("\0") && Buffer.from(text).toString() === text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(label, nearly, anything), { minLength: 1, maxLength: 100 }), async (slugs) => {
      const { rows } = await database.pool.query<{ slug: string; accepted: boolean }>(
        "select slug, public.accepts(slug) as accepted from unnest($1::text[]) as slug",
        [slugs],
      );
      expect(rows).toEqual(slugs.map((slug) => ({ slug, accepted: isSlug(slug) })));
    }),
  );
});
