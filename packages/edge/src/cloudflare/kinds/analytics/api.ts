/** The SQL API of Analytics Engine: plain text in, one of three formats out, no envelope. */
import { apiPart } from "../../api/part.ts";
import { runSql } from "./sql/run.ts";
import { SqlError } from "./sql/sql-error.ts";

export const analyticsApi = apiPart({
  title: "Analytics Engine SQL",
  readBy: "Account Analytics Read",
  alsoReads: ["POST /accounts/:account_id/analytics_engine/sql"],
  operations: {
    "GET /accounts/:account_id/analytics_engine/sql": "-",
    "POST /accounts/:account_id/analytics_engine/sql": "-",
  },
  differs:
    "The documented statements, operators and functions, and nothing else. Points are there at once, and never sampled. Ten million points; 30 s, 64 MB and 100,000 rows a query. Texts of refusals are partly ours, as are the names of columns without an alias.",
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
