/** Every route with inputs that are valid, almost valid and invalid by its schema. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { insertClient, insertInstance } from "#database/testing/fixtures.ts";
import { allRoutes } from "#workers/contracts/api/all-routes.ts";
import type { Route } from "#workers/contracts/api/route.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { PAGE_FILES_PATH } from "#workers/contracts/pages.ts";
import { type ApiUnderTest, startApi } from "../testing/start-api.ts";

/** Occurs in rows of the partner south only. */
const SECRET = "southern-secret";

let api: ApiUnderTest;
/** Existing ids of every kind, of both partners. Paths and bodies use any of them. */
let ids: string[] = [];
beforeAll(async () => {
  api = await startApi();
  const { db } = api.database;
  ids = [crypto.randomUUID()];
  for (const [partner, name] of [
    [api.partners.north, "northern"],
    [api.partners.south, SECRET],
  ] as const) {
    await db
      .updateTable("tenantry.partners")
      .set({ name, managed_by: "dashboard" })
      .where("id", "=", partner)
      .execute();
    const values = { partner_id: partner, name, managed_by: "dashboard", status: "draft" };
    const client = await insertClient(db, { slug: `of-${name}`, ...values });
    const instance = await insertInstance(db, client, { managed_by: "dashboard" });
    const person = { email: `person@${name}.test`, name, partner_id: partner };
    const { id } = await db.insertInto("tenantry.users").values(person).returning("id").executeTakeFirstOrThrow();
    ids.push(partner, client, instance, id);
  }
});
afterAll(() => api?.stop());

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Shared, because its creation is slow. */
const word = fc.stringMatching(/^[a-z0-9-]{1,12}$/);

/** Plausible values by kind of schema. Values that the schema refuses are tests as well. */
function meant(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) return fc.oneof(...either.map((one) => meant(one as JsonSchema)));
  if (schema.type === "object" && schema.properties !== undefined) {
    const parts = Object.entries(schema.properties).map(([name, part]) => [name, meant(part as JsonSchema)] as const);
    return fc.record(Object.fromEntries(parts), { requiredKeys: schema.required ?? [] });
  }
  if (schema.type === "object") return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  if (schema.type === "array") return fc.array(meant((schema.items ?? {}) as JsonSchema), { maxLength: 4 });
  if (schema.type === "integer" || schema.type === "number") return fc.integer({ min: -1, max: 2 ** 31 });
  if (schema.type === "boolean") return fc.boolean();
  if (schema.format === "uuid") return fc.constantFrom(...ids);
  if (schema.format === "email") return fc.emailAddress();
  if (schema.format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.oneof(
    word,
    // Except the secret, which its author may read.
    fc.constantFrom("southern", "#123456", "a.test", "\u0000", "'; --"),
  );
}

const rubbish = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom("\u0000", "\ud800", "-1", "1e999", "../..", "%", "{}", "x".repeat(5_000)),
);

/** A plausible value of a schema, with some parts replaced. */
function nearly(schema: z.ZodType): fc.Arbitrary<unknown> {
  const reported = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const spoilt = fc.tuple(
    meant(reported),
    fc.dictionary(fc.constantFrom(...Object.keys(reported.properties ?? { x: 0 })), rubbish),
  );
  return fc.oneof(
    { weight: 3, arbitrary: meant(reported) },
    { weight: 2, arbitrary: spoilt.map(([value, parts]) => ({ ...(value as object), ...parts })) },
    { weight: 1, arbitrary: rubbish },
  );
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const asTexts = (value: unknown): [string, string][] =>
  value === null || typeof value !== "object"
    ? [["x", asText(value)]]
    : Object.entries(value).map(([name, part]) => [name, asText(part)]);

interface Sent {
  path: string;
  body: unknown;
}
/** Excludes the files of pages, which the platform serves before the Worker is called. */
function request(route: Route): fc.Arbitrary<Sent> {
  const at = route.params === undefined ? fc.constant({}) : nearly(route.params);
  const query = route.query === undefined ? fc.constant({}) : nearly(route.query);
  const body = route.body === undefined ? fc.constant(undefined) : nearly(route.body);
  const requests = fc.record({ at, query, body }).map(({ at: given, query: asked, body: sent }) => {
    const params = new Map(asTexts(given));
    const part = (_: string, name: string) => encodeURIComponent((params.get(name) || "x").toWellFormed());
    const search = new URLSearchParams(asTexts(asked).map(([name, text]) => [name, text.toWellFormed()]));
    return { path: `${route.path.replaceAll(/:(\w+)/g, part)}?${search}`, body: sent };
  });
  return requests.filter(({ path }) => !path.startsWith(`${PAGE_FILES_PATH}/`));
}

const everyRoute = allRoutes.flatMap((routes) => Object.entries(routes)) as [string, Route][];

test.each(everyRoute)("%s handles any input, and shows a partner root no other partner's data", async (_, route) => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request(route), fc.constantFrom("root", "north"), async ({ path, body }, as) => {
      const response = await api.fetchAs(as, route.method.toUpperCase(), path, body);
      const text = await response.text();
      statuses.add(response.status);
      expect([path, body, response.status, text]).toEqual([
        path,
        body,
        // This test runs without the services behind the dashboard.
        expect.toSatisfy(
          (code: number) => code < 500 || (code === 503 && route.refusals?.includes("tenant_unavailable") === true),
        ),
        text,
      ]);
      if (response.status >= 400) errorBody.parse(JSON.parse(text));
      expect(text).not.toMatch(/\n\s+at |node_modules|\.tsx?:\d|pg_catalog|select .* from/i);
      if (as === "north") expect(text).not.toContain(SECRET);
    }),
    { numRuns: 12 },
  );
  expect(statuses.size).toBeGreaterThan(0);
});

test("leaves another partner's data unchanged", async () => {
  const { rows } = await api.database.pool.query(
    "select actor from tenantry.audit_log where partner_id = $1 and actor = $2",
    [api.partners.south, api.emails.north],
  );
  expect(rows).toEqual([]);
});
