/** The analytics dataset, which tenants' Workers write to. */
import { AnalyticsSql } from "#workers/shared/analytics-sql.ts";

/** Where it is, by the names of the dashboard's bindings. */
export interface Dataset {
  CLOUDFLARE_API_URL: string;
  CF_ACCOUNT_ID: string;
  ANALYTICS_TOKEN: string;
  ANALYTICS_DATASET: string;
}

export function analyticsOf(settings: Dataset): AnalyticsSql {
  const { CLOUDFLARE_API_URL: apiUrl, CF_ACCOUNT_ID: accountId, ANALYTICS_TOKEN: token } = settings;
  return new AnalyticsSql({ apiUrl, accountId, token, dataset: settings.ANALYTICS_DATASET });
}
