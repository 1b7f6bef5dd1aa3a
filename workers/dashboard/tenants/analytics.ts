import { AnalyticsSql } from "#workers/shared/analytics-sql.ts";

/** Bindings for the analytics dataset. */
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
