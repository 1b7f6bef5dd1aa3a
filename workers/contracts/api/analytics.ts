/** Analytics in the API. */
import * as z from "zod";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { instant, named } from "#domain/entities/entity.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { BOTH_ROOTS, ROOT_ONLY, route, routes } from "./route.ts";

const count = z.number().int().nonnegative();
/** Usage in each metric's unit; `ai_spend` in micro-units of a US dollar. */
const usage = z.record(z.enum(usageMetrics), z.number());
export type Usage = z.infer<typeof usage>;

export const MAX_DAYS = 45;
/** Number of tenants in `top`. */
export const TOP = 10;

export const globalAnalytics = z.object({
  period: z.object({ from: instant, to: instant, days: count }),
  /** When the figures were read; they are cached for a minute. */
  as_of: instant,
  tenants: z.object({
    total: count,
    by_client_status: z.record(z.enum(clientStates), count),
    /** `none`: clients without an instance. */
    by_instance_status: z.record(z.enum([...instanceStates, "none"]), count),
  }),
  /** Of the period, and of the preceding period of the same length. */
  usage: z.object({ current: usage, previous: usage }),
  /** One entry per UTC day with usage. */
  series: z.array(z.object({ day: z.iso.date(), usage })),
  /** Ordered by spend on models, then by uptime. */
  top: z
    .array(
      z.object({ client_id: z.uuid(), slug: z.string(), name: z.string(), partner_id: z.uuid().nullable(), usage }),
    )
    .max(TOP),
  /** One entry per partner, and one with `partner` null for internal clients. Null for a partner root. */
  partners: z
    .array(
      z.object({
        partner: named.nullable(),
        tenants: count,
        usage: z.object({ current: usage, previous: usage }),
      }),
    )
    .nullable(),
});
export type GlobalAnalytics = z.infer<typeof globalAnalytics>;

/** Spend on models by day and partner, from the billing ledger. The current day is up to an hour behind. */
export const partnerSpend = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Partners with spend, highest first; `partner` is null for internal clients. */
  partners: z.array(
    z.object({
      partner: named.nullable(),
      /** One entry per UTC day with spend, in micro-units of a US dollar. */
      series: z.array(z.object({ day: z.iso.date(), ai_spend: z.number() })),
    }),
  ),
});
export type PartnerSpend = z.infer<typeof partnerSpend>;

const period = z.object({ days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30) });

export const analyticsRoutes = routes("analytics", {
  getGlobalAnalytics: route("get", "/analytics/global", {
    summary: "Get a summary of tenants, usage and cost",
    callers: BOTH_ROOTS,
    query: period,
    answer: globalAnalytics,
    refusals: ["tenant_unavailable"],
  }),
  getPartnerSpend: route("get", "/analytics/partners", {
    summary: "Get the spend on models by partner and day",
    callers: ROOT_ONLY,
    query: period,
    answer: partnerSpend,
  }),
});
