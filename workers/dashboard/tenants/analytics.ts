/** The analytics dataset, which tenants' Workers write to. */
import { AnalyticsSql } from "../../shared/analytics-sql.ts";

/** Where it is, by the names of the dashboard's bindings. */
export interface Dataset {
  CLOUDFLARE_API_URL: string;
  CF_ACCOUNT_ID: string;
  ANALYTICS_TOKEN: string;
  ANALYTICS_DATASET: string;
}

export function analyticsOf({ CLOUDFLARE_API_URL, CF_ACCOUNT_ID, ANALYTICS_TOKEN }: Dataset): AnalyticsSql {
  return new AnalyticsSql({ apiUrl: CLOUDFLARE_API_URL, accountId: CF_ACCOUNT_ID, token: ANALYTICS_TOKEN });
}
