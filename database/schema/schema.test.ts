/** The schema that a new database gets. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSlugFault } from "#domain/names/slug.ts";
import { generateTypes } from "../generate-types.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { dumpSchema } from "./dump.ts";
import { readMigrations, SCHEMA_DIRECTORY } from "./source.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("a new database has exactly the schema of schema.sql", async () => {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    const live = await dumpSchema(client);
    const committed = readFileSync(join(SCHEMA_DIRECTORY, "schema.sql"), "utf8");
    expect(live, 'database/schema.sql is out of date: run "npm run database:schema"').toBe(committed);
  } finally {
    await client.query("rollback");
    client.release();
  }
});

test("released migrations are unchanged", () => {
  const released = readFileSync(join(SCHEMA_DIRECTORY, "migrations/checksums.txt"), "utf8").trim().split("\n");
  const checksums = readMigrations(join(SCHEMA_DIRECTORY, "migrations")).map(
    ({ checksum, number, name }) => `${checksum}  ${number}_${name}.sql`,
  );
  expect(checksums.slice(0, released.length)).toEqual(released);
});

test("the generated types fit the schema", async () => {
  await generateTypes(database.url, join(SCHEMA_DIRECTORY, "types.ts"), true);
});

test("the database accepts exactly the slugs that the domain accepts", async () => {
  await database.pool.query(`
    create function public.accepts(slug text) returns boolean language plpgsql as $$
    begin
      insert into tenantry.clients (slug, name, billing_plan) values (slug, slug, 'free');
      delete from tenantry.clients c where c.slug = accepts.slug;
      return true;
    exception when check_violation or sqlstate 'TN051' then
      return false;
    end $$`);
  const label = fc.string({ unit: fc.constantFrom(..."abz019-"), maxLength: 64 });
  const nearly = fc
    .tuple(
      fc.constantFrom("", "xn--", "-", "dash", "dev-dash", "staging-dash", "hooks"),
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
      expect(rows).toEqual(slugs.map((slug) => ({ slug, accepted: newSlugFault(slug) === undefined })));
    }),
  );
});
