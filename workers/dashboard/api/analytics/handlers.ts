/** What the routes of analytics do. */

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
import { summarize } from "./summary.ts";
import { ownUsageByTenant, type UsagePeriod, usageByDay, usageByTenant } from "./usage-queries.ts";

/** How long figures are shown again: they are of minutes ago anyway, and cost a scan. */
const KEPT_MS = 60_000;
const KEPT_ANSWERS = 64;
const DAY_MS = 86_400_000;

/** By whose sight it is and for how many days. Values, and nothing that hangs on the request that read them. */
const kept = new BoundedMap<string, GlobalAnalytics>(KEPT_ANSWERS);

export const analyticsHandlers: Handlers<typeof analyticsRoutes> = {
  async getGlobalAnalytics(call) {
    const { partnerId } = await call.caller;
    const key = `${partnerId ?? "all"} ${call.query.days}`;
    const known = kept.get(key);
    if (known !== undefined && Date.now() - Date.parse(known.as_of) < KEPT_MS) return known;
    const read = await readGlobal(call, partnerId);
    kept.set(key, read);
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
    // Those of named tenants are each since it was created.
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
      ...summarize(clients, { all: used, own }, partnerId === undefined),
      series,
    };
  } catch (error) {
    if (!(error instanceof AnalyticsSqlError)) throw error;
    log("warn", "analytics.failed", { reason: error.message, status: error.status });
    throw new Failure("tenant_unavailable", "Usage cannot be read just now; try again in a moment.");
  }
}
