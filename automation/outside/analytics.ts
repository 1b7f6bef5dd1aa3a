/** Analytics Engine, asked in SQL (developers.cloudflare.com/analytics/analytics-engine/sql-api/). */

import type { Settings } from "../settings.ts";
import { TaskError } from "../task.ts";
import { call } from "./call.ts";

export interface Analytics {
  /** The answer to a query in `FORMAT JSON`. @throws TaskError */
  query(sql: string, signal: AbortSignal): Promise<unknown>;
}

export function analytics({
  CLOUDFLARE_API_URL: api,
  CLOUDFLARE_API_TOKEN: token,
  CLOUDFLARE_ACCOUNT_ID: account,
}: Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">): Analytics {
  return {
    async query(sql, signal) {
      const url = `${api}/accounts/${account}/analytics_engine/sql?${new URLSearchParams({ query: sql })}`;
      const answer = await call({ url, token, name: "Analytics Engine" }, signal);
      try {
        return JSON.parse(answer);
      } catch {
        throw new TaskError("Analytics Engine answered no JSON.");
      }
    },
  };
}
