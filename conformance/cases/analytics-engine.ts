/** Data points of traffic and gateways, which queries of the dashboard and the doctor read. */
import * as z from "zod";
import { type Case, casesOf, NOT_DOCUMENTED, type Product } from "../case.ts";
import { checkEqual, checkShape, checkThat } from "../checks.ts";
import type { Client } from "../run/client.ts";
import type { Scope } from "../run/scope.ts";
import { awaitText, SERVING, serveScript } from "../serving.ts";

const product: Product = {
  name: "analytics-engine",
  permission: "Account Analytics (Read)",
  standIn: "cloudflare/kinds/analytics/api.ts",
};
const writing: Product = { ...product, ...SERVING, permission: `Account Analytics (Read), ${SERVING.permission}` };
const sql = "POST /accounts/:account_id/analytics_engine/sql" as const;
const API = "https://developers.cloudflare.com/analytics/analytics-engine/sql-api/";
const REFERENCE = "https://developers.cloudflare.com/analytics/analytics-engine/sql-reference/";

const ask = (client: Client, { account_id }: Scope, query: string) =>
  client.request("POST", `/accounts/${account_id}/analytics_engine/sql`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: query,
  });

/** Returns the rows of a query. @throws PermissionError when it is refused with 403 */
async function rows(client: Client, scope: Scope, query: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await ask(client, scope, query);
  if (status === 401 || status === 403)
    await client.sdk.get(`/accounts/${scope.account_id}/analytics_engine/sql`, { query: { query } });
  checkEqual(`The status of ${query}`, status, 200);
  return checkShape("The answer", body, z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) })).data;
}

/** A dataset exists from its first point, and cannot be deleted; all runs share one. */
const DATASET = "tenantry_conformance";
/** The dashboard shows the past, and the doctor reads an hour. */
const LONGEST_MS = 300_000;

/** Writes a point by a Worker. @returns the point's index, after queries show it */
async function writePoint(client: Client, scope: Scope): Promise<string> {
  const index = scope.name();
  const point = `{ indexes: [${JSON.stringify(index)}], blobs: ["a 'quoted' text", ""], doubles: [1.5] }`;
  const code = `export default { fetch(_request, env) { env.POINTS.writeDataPoint(${point}); return new Response("written"); } };`;
  const bindings = [{ type: "analytics_engine", name: "POINTS", dataset: DATASET }];
  const { host } = await serveScript(client, scope, { bindings }, code);
  await awaitText(scope, "a new host", host, "written");
  const query = `SELECT index1 FROM ${DATASET} WHERE index1 = '${index}'`;
  const read = () => rows(client, scope, query).catch(() => []);
  await scope.eventually("a point in a query", read, (found) => found.length > 0, LONGEST_MS);
  return index;
}

export const analyticsCases: Case[] = [
  ...casesOf(product, {
    "query-without-table": {
      operations: [sql],
      reliesOn: "A query by POST returns JSON with the rows in `data`, named by their aliases.",
      source: API,
      async run(client, scope) {
        checkEqual("The rows", await rows(client, scope, "SELECT 'a' AS message"), [{ message: "a" }]);
      },
    },
    "query-quotes": {
      operations: [sql],
      reliesOn: "Two single quotes in a string are one quote.",
      source: `${REFERENCE}literals/`,
      async run(client, scope) {
        checkEqual("The rows", await rows(client, scope, "SELECT 'it''s' AS text"), [{ text: "it's" }]);
      },
    },
    "show-tables": {
      operations: [sql],
      reliesOn: "`SHOW TABLES` returns one row for each dataset, with its name.",
      source: `${REFERENCE}statements/#show-tables-statement`,
      async run(client, scope) {
        const names = await rows(client, scope, "SHOW TABLES");
        checkThat(
          "each row has one text",
          names.every((row) => Object.values(row).some((one) => typeof one === "string")),
        );
      },
    },
    "missing-dataset": {
      operations: [sql],
      reliesOn: "A query of a dataset without points is refused with a status from 400 to 499.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const dataset = `missing_${scope.name().replaceAll("-", "_")}`;
        const { status } = await ask(client, scope, `SELECT index1 FROM ${dataset}`);
        checkThat(`the status ${status} is from 400 to 499`, status >= 400 && status < 500);
      },
    },
    "invalid-query": {
      operations: [sql],
      reliesOn: "An invalid query is refused with a status from 400 to 499.",
      source: API,
      async run(client, scope) {
        const { status } = await ask(client, scope, "SELECT FROM WHERE");
        checkThat(`the status ${status} is from 400 to 499`, status >= 400 && status < 500);
      },
    },
  }),
  ...casesOf(writing, {
    "point-columns": {
      operations: [sql],
      reliesOn: "A point of a Worker is in queries within five minutes, with its texts and numbers.",
      source: "https://developers.cloudflare.com/analytics/analytics-engine/get-started/",
      async run(client, scope) {
        const index = await writePoint(client, scope);
        const query = `SELECT blob1, blob2, double1, _sample_interval AS weight FROM ${DATASET} WHERE index1 = '${index}' LIMIT 1`;
        const [row] = await rows(client, scope, query);
        checkEqual("The texts", [row?.blob1, row?.blob2], ["a 'quoted' text", ""]);
        checkEqual("The number", Number(row?.double1), 1.5);
        checkThat("the weight is at least 1", Number(row?.weight) >= 1);
      },
    },
    "point-time": {
      operations: [sql],
      reliesOn: "Times in answers are `YYYY-MM-DD hh:mm:ss` in UTC.",
      source: NOT_DOCUMENTED,
      async run(client, scope) {
        const index = await writePoint(client, scope);
        const of = `FROM ${DATASET} WHERE index1 = '${index}'`;
        const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
        const [last] = await rows(client, scope, `SELECT index1, MAX(timestamp) AS last ${of} GROUP BY index1`);
        checkShape("MAX(timestamp)", last?.last, time);
        const day = "toStartOfInterval(timestamp, INTERVAL '1' DAY) AS day";
        const [first] = await rows(client, scope, `SELECT ${day}, SUM(_sample_interval) AS points ${of} GROUP BY day`);
        checkShape("The start of the day", first?.day, time);
      },
    },
  }),
];
