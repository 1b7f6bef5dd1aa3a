import { BoundedMap } from "@tenantry/std/bounded-map";
import { partnerSpend } from "#database/billing/partner-spend.ts";
import { summarizeClients } from "#database/tenants/clients.ts";
import { dayOf } from "#domain/billing/billing-month.ts";
import type { analyticsRoutes, GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { AnalyticsSqlError } from "#workers/shared/analytics-sql.ts";
import { log } from "#workers/shared/log.ts";
import { Failure } from "../../http/failure.tsx";
import type { Call, Handlers } from "../../http/serve.ts";
import { analyticsOf } from "../../tenants/analytics.ts";
import { summarizeUsage } from "./summary.ts";
import { ownUsageByTenant, type UsagePeriod, usageByDay, usageByTenant } from "./usage-queries.ts";

/** The data is minutes old anyway, and a query costs a scan. */
const CACHE_MS = 60_000;
const CACHE_SIZE = 64;
const DAY_MS = 86_400_000;

/** By partner and number of days. It must hold plain values only, independent of the request that read them. */
const cache = new BoundedMap<string, GlobalAnalytics>(CACHE_SIZE);

export const analyticsHandlers: Handlers<typeof analyticsRoutes> = {
  async getGlobalAnalytics(call) {
    const { partnerId } = await call.caller;
    const key = `${partnerId ?? "all"} ${call.query.days}`;
    const known = cache.get(key);
    if (known !== undefined && Date.now() - Date.parse(known.as_of) < CACHE_MS) return known;
    const read = await readGlobal(call, partnerId);
    cache.set(key, read);
    return read;
  },

  async getPartnerSpend({ db, settings, query }) {
    const now = Date.now();
    const days = { from: dayOf(new Date(now - query.days * DAY_MS)), to: dayOf(new Date(now)) };
    return { ...days, partners: await partnerSpend(db, settings.ENVIRONMENT, days) };
  },
};

async function readGlobal(
  { db, settings, query }: Call<typeof analyticsRoutes.getGlobalAnalytics>,
  partnerId: string | undefined,
): Promise<GlobalAnalytics> {
  const { ENVIRONMENT: environment, ANALYTICS_DATASET: dataset } = settings;
  const to = new Date();
  const clients = await summarizeClients(db, environment);
  const tenants = partnerId === undefined ? undefined : clients;
  const period: UsagePeriod = { environment, dataset, days: query.days, to, tenants };
  const analytics = analyticsOf(settings);
  try {
    const [used, series] = await Promise.all([usageByTenant(analytics, period), usageByDay(analytics, period)]);
    // Usage of named tenants already starts with their creation.
    const own =
      tenants === undefined
        ? await ownUsageByTenant(
            analytics,
            period,
            used,
            clients.filter(({ isReused }) => isReused),
          )
        : used;
    return {
      period: {
        from: new Date(to.getTime() - query.days * DAY_MS).toISOString(),
        to: to.toISOString(),
        days: query.days,
      },
      as_of: to.toISOString(),
      ...summarizeUsage(clients, { all: used, own }, partnerId === undefined),
      series,
    };
  } catch (error) {
    if (!(error instanceof AnalyticsSqlError)) throw error;
    log("warn", "analytics.failed", { reason: error.message, status: error.status });
    throw new Failure("tenant_unavailable", "The usage is temporarily unavailable. Try again in a moment.");
  }
}
