/** The SQL API responds with plain text, JSON or NDJSON, without the envelope. */
import { missing, undocumented } from "@tenantry/std/difference";
import { apiPart } from "../../api/operations.ts";
import { runSql } from "./sql/run.ts";
import { SqlError } from "./sql/sql-error.ts";

export const analyticsApi = apiPart({
  title: "Analytics Engine SQL",
  alsoReads: ["POST /accounts/:account_id/analytics_engine/sql"],
  operations: {
    "GET /accounts/:account_id/analytics_engine/sql": "-",
    "POST /accounts/:account_id/analytics_engine/sql": "-",
  },
  differs: [
    missing("The documented statements, operators and functions only."),
    missing("At most ten million points, and 30 s, 64 MB and 100,000 rows for each query."),
    undocumented("Some error texts, and names of columns without an alias."),
  ],
  handlers: ({ analytics }) => {
    const answer = async (sql: string): Promise<Response> => {
      try {
        const { contentType, body } = await runSql(sql, analytics, Date.now());
        return new Response(body, { headers: { "content-type": contentType } });
      } catch (error) {
        if (!(error instanceof SqlError)) throw error;
        return new Response(error.message, {
          status: error.status,
          headers: { "content-type": "text/plain; charset=UTF-8" },
        });
      }
    };
    return {
      "GET /accounts/:account_id/analytics_engine/sql": ({ query }) => answer(query.get("query") ?? ""),
      "POST /accounts/:account_id/analytics_engine/sql": ({ body }) => answer(new TextDecoder().decode(body)),
    };
  },
});
