/** A Worker that runs the request's body as a query and responds with its rows or the error. */
import * as z from "zod";
import { AnalyticsSql, AnalyticsSqlError, sqlNumber } from "../analytics-sql.ts";

const row = z.object({ n: sqlNumber });

interface Env {
  API_URL: string;
  ACCOUNT_ID: string;
  TOKEN: string;
}

export default {
  async fetch(request: Request, { API_URL, ACCOUNT_ID, TOKEN }: Env): Promise<Response> {
    const sql = new AnalyticsSql({ apiUrl: API_URL, accountId: ACCOUNT_ID, token: TOKEN, timeoutMs: 2_000 });
    try {
      return Response.json(await sql.query(await request.text(), row));
    } catch (error) {
      if (!(error instanceof AnalyticsSqlError)) throw error;
      return Response.json({ message: error.message, status: error.status ?? null });
    }
  },
};
