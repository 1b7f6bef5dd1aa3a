import { expect, test } from "vitest";
import { productionSources, type Source } from "./testing/production-sources.ts";

/** Methods that start a Kysely query. A handler with a `Kysely` parameter can call them without an import. */
const BUILDER = /[.](selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\s*\(/;

/** `file:line` of each query that a source builds. */
const queriesOf = ({ file, text }: Source): string[] =>
  text.split("\n").flatMap((line, index) => (BUILDER.test(line) ? [`${file}:${index + 1}`] : []));

test("no query is built outside database/", () => {
  const sources = productionSources([
    "{automation,components,domain,fleet,local,policy,provider,stack,workers}/**/*.{ts,tsx}",
    "index.ts",
  ]);
  expect(sources.length).toBeGreaterThan(300);
  // Rows of the demo are not product queries.
  const checked = sources.filter(({ file }) => !file.startsWith("local/start/demo-data/"));
  const found = checked.flatMap(queriesOf);
  expect(found, "SQL belongs in database/: add a named query there.").toEqual([]);
});

test.each(["selectFrom", "insertInto", "updateTable", "deleteFrom"])("detects %s", (method) => {
  const text = `export const planted = (db: Kysely<DB>) =>\n  db\n    .${method}("tenantry.clients")\n    .execute();\n`;
  expect(queriesOf({ file: "workers/planted.ts", text })).toEqual(["workers/planted.ts:3"]);
});
