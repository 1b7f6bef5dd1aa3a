/** The executive summary, by the API. */
import * as z from "zod";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { instant } from "#domain/entities/entity.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { BOTH_ROOTS, ROOT_ONLY, route, routes } from "./route.ts";

const count = z.number().int().nonnegative();
/** What a tenant uses, in each metric's unit; `ai_spend` in micro-units of a US dollar. */
const usage = z.record(z.enum(usageMetrics), z.number());
export type Usage = z.infer<typeof usage>;

export const MAX_DAYS = 45;
/** Tenants that the summary names. */
export const TOP = 10;

export const globalAnalytics = z.object({
  period: z.object({ from: instant, to: instant, days: count }),
  /** When the figures were read: they are kept for a minute. */
  as_of: instant,
  tenants: z.object({
    total: count,
    by_client_status: z.record(z.enum(clientStates), count),
    /** `none` are clients without an instance. */
    by_instance_status: z.record(z.enum([...instanceStates, "none"]), count),
  }),
  /** Of the period, and of the one of the same length before it. */
  usage: z.object({ current: usage, previous: usage }),
  /** A line a day that anything was used, in UTC. */
  series: z.array(z.object({ day: z.iso.date(), usage })),
  /** The tenants that spent most on models, then those that were awake longest. */
  top: z
    .array(
      z.object({ client_id: z.uuid(), slug: z.string(), name: z.string(), partner_id: z.uuid().nullable(), usage }),
    )
    .max(TOP),
  /** A line a partner, for platform roots; internal clients are the one of null. Null for a partner root. */
  partners: z
    .array(
      z.object({
        partner: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
        tenants: count,
        usage: z.object({ current: usage, previous: usage }),
      }),
    )
    .nullable(),
});
export type GlobalAnalytics = z.infer<typeof globalAnalytics>;

/** Model cost by day and partner, by the books: today's is counted within the hour. */
export const partnerSpend = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Who spent most comes first; internal clients are the one of null. Who spent nothing is left out. */
  partners: z.array(
    z.object({
      partner: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
      /** A line a day on which anything was spent, in UTC; micro-units of a US dollar. */
      series: z.array(z.object({ day: z.iso.date(), ai_spend: z.number() })),
    }),
  ),
});
export type PartnerSpend = z.infer<typeof partnerSpend>;

const period = z.object({ days: z.coerce.number().int().min(1).max(MAX_DAYS).default(30) });

export const analyticsRoutes = routes("analytics", {
  getGlobalAnalytics: route("get", "/analytics/global", {
    summary: "Executive summary: tenants by state, usage and cost over time, the largest tenants, the period before",
    callers: BOTH_ROOTS,
    query: period,
    answer: globalAnalytics,
    refusals: ["tenant_unavailable"],
  }),
  getPartnerSpend: route("get", "/analytics/partners", {
    summary: "What the clients of each partner spent on models, by day",
    callers: ROOT_ONLY,
    query: period,
    answer: partnerSpend,
  }),
});
