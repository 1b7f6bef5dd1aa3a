import * as z from "zod";
import { analyticsDataset } from "#domain/analytics-dataset.ts";
import { AnalyticsSql, sqlTime } from "#workers/shared/analytics-sql.ts";
import type { Platform } from "./platform.ts";

const API_URL = "https://api.cloudflare.com/client/v4";
/** A running gateway sends a heartbeat each minute. */
const FRESH_MINUTES = 60;

const row = z.object({ tenant: z.string(), last: sqlTime });

/** Returns each tenant's latest heartbeat of the last hour by slug, also of tenants without a row or stack. @throws AnalyticsSqlError */
export async function readHeartbeats(
  { accountId, environment }: Platform,
  variables: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Map<string, Date>> {
  const dataset = analyticsDataset(environment);
  const { CLOUDFLARE_API_TOKEN: token = "", CLOUDFLARE_BASE_URL: apiUrl = API_URL } = variables;
  const sql = new AnalyticsSql({ apiUrl, accountId, token, dataset });
  const query = `SELECT index1 AS tenant, MAX(timestamp) AS last FROM ${dataset}
    WHERE blob1 = 'container_heartbeat' AND timestamp > NOW() - INTERVAL '${FRESH_MINUTES}' MINUTE GROUP BY tenant`;
  return new Map((await sql.query(query, row, signal)).map(({ tenant, last }) => [tenant, last]));
}
