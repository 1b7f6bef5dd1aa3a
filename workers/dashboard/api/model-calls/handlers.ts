import type { Kysely } from "kysely";
import { planFees } from "#database/billing/plan-fees.ts";
import { readSpendingCap, setSpendingCap } from "#database/billing/spending-cap.ts";
import { lockClient } from "#database/tenants/client-changes.ts";
import { earlierClientsOf } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { gatewayTenant } from "#domain/ai-gateways/gateway-tenant.ts";
import { dayOf, nextDay } from "#domain/billing/billing-month.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { PLAN_AI_SPEND, type Plan } from "#domain/plans/plan.ts";
import { callCursor } from "#workers/contracts/api/model-call-log.ts";
import { MAX_SPENDING_DAYS, type modelCallRoutes, type SpendingCap } from "#workers/contracts/api/model-calls.ts";
import { AnalyticsSqlError } from "#workers/shared/analytics-sql.ts";
import { log } from "#workers/shared/log.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import { failure, invalidInput, requireFound } from "../../http/failure.tsx";
import { tooOften } from "../../http/network-limit.ts";
import type { Handlers } from "../../http/serve.ts";
import { analyticsOf } from "../../tenants/analytics.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { requireUnchanged } from "../changed-by.ts";
import { sendClientEvent } from "../events.ts";
import { requireClient } from "../required.ts";
import { readSpending } from "./spending.ts";

/** Default days of spending. */
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;
const MICROS = 1_000_000;

/** Limits a listing to a UTC day. The text of times and cursors has their order. */
function rangeOf(day: string, created: string, after: string | undefined) {
  const [begin, end] = [`${day}T00:00:00.000Z`, `${nextDay(day)}T00:00:00.000Z~`];
  return { since: begin > created ? begin : created, after: after !== undefined && after < end ? after : end };
}

/** Pages of calls of a client, because all clients share the rate limit of Cloudflare's API. */
const listings = new RateLimits({ burst: 120, perSecond: 0.5 });

interface CappedClient {
  id: string;
  version: number;
  billing_plan: Plan;
}

async function capBody(db: Kysely<DB>, { id, version, billing_plan }: CappedClient): Promise<SpendingCap> {
  const found = requireFound(await readSpendingCap(db, id), clientErrors.client_not_found);
  const { cap: cap_micros, maximum, spent: spent_micros } = found;
  const usual = PLAN_AI_SPEND[billing_plan];
  // Until a deployment writes its limits, the default ones apply, as in the plans that a client is offered.
  const isUsual = maximum === null && usual !== null && (await planFees(db, id))?.aiSpend === null;
  const maximum_micros = isUsual ? usual * MICROS : maximum;
  return { client_id: id, cap_micros, maximum_micros, spent_micros, version };
}

export const modelCallHandlers: Handlers<typeof modelCallRoutes> = {
  async getSpending({ db, settings, params, query, release }) {
    const { to = dayOf(new Date()), by, per } = query;
    const { from = dayOf(new Date(Date.parse(to) - (USUAL_DAYS - 1) * DAY_MS)) } = query;
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
    if (days < 0 || days >= MAX_SPENDING_DAYS)
      throw invalidInput("query", { to: [`must be 1 to ${MAX_SPENDING_DAYS} days after from`] });
    const { ENVIRONMENT: environment, ANALYTICS_DATASET: dataset } = settings;
    const { slug, created_at: since } = await requireClient(db, environment, params.client_id);
    await release();
    try {
      const scope = { dataset, environment, slug, since, from, to, by, per };
      return await readSpending(analyticsOf(settings), scope);
    } catch (error) {
      if (!(error instanceof AnalyticsSqlError)) throw error;
      log("warn", "analytics.failed", { reason: error.message, status: error.status });
      throw failure(serviceErrors.usage_not_available);
    }
  },

  async getSpendingCap({ db, settings, params }) {
    return capBody(db, await requireClient(db, settings.ENVIRONMENT, params.client_id));
  },

  async setSpendingCap({ db, settings, params, body, caller, expected }) {
    const { ENVIRONMENT: environment } = settings;
    await lockClient(db, params.client_id);
    const { id, version } = await requireClient(db, environment, params.client_id);
    await requireUnchanged(db, expected, { entity: "clients", id, version }, caller);
    await setSpendingCap(db, id, body.cap_micros);
    const client = await requireClient(db, environment, id);
    await sendClientEvent(db, client, { change: "changed", caller });
    return capBody(db, client);
  },

  async listModelCalls({ db, settings, params, query, release }) {
    const found = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const { id, slug, instance, created_at } = found;
    const gateway = instance?.ai_gateway?.id;
    const { after, day, ...rest } = query;
    if (after !== undefined && !callCursor.safeParse(after).success)
      throw invalidInput("query", { after: ["is not a cursor of this list; omit it to start from the first page"] });
    if (gateway === undefined) return { data: [], pagination: { next: null } };
    const tenant = gatewayTenant(slug, await earlierClientsOf(db, id));
    const wait = listings.take(id, Date.now());
    if (wait > 0) throw tooOften(wait);
    await release();
    const created = created_at.toISOString();
    const range = day === undefined ? { since: created, after } : rangeOf(day, created, after);
    const { calls, next } = await new TenantOrders(settings).modelCalls(slug, {
      ...{ gateway, tenant, since: range.since, ...rest },
      ...(range.after !== undefined && { after: range.after }),
    });
    return { data: calls, pagination: { next } };
  },
};
