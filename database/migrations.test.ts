import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSlug } from "../domain/slug.ts";
import { runMigrations } from "./migrations.ts";
import { startTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { generateTypes } from "./type-generation.ts";

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
