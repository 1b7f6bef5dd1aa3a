/** Search parameters of pages. An invalid value is ignored, because a link may be older than the page. */
import * as z from "zod";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { plans } from "#domain/plans/plan.ts";
import { clientStates, instanceStates } from "#domain/tenants/instance-state.ts";
import { clientOrders } from "#workers/contracts/api/tenants/clients.ts";

export const clientsSearch = z.object({
  search: z.string().max(100).optional().catch(undefined),
  sort: z.enum(clientOrders).optional().catch(undefined),
  status: z.enum(clientStates).optional().catch(undefined),
  plan: z.enum(plans).optional().catch(undefined),
  instance: z.enum(instanceStates).optional().catch(undefined),
  partner: z.uuid().optional().catch(undefined),
});
export type ClientsSearch = z.infer<typeof clientsSearch>;

export const billingSearch = z.object({ invoice: z.uuid().optional().catch(undefined) });

/** Periods in days. */
export const periods = [7, 30, 90, 365] as const;

export const usageSearch = z.object({
  days: z.literal(periods).optional().catch(undefined),
  metric: z.enum(usageMetrics).optional().catch(undefined),
  as: z.enum(["chart", "table"]).optional().catch(undefined),
});

/** Of the console's page: with a calendar month, and the day whose calls are listed. */
export const modelsSearch = usageSearch.extend({
  month: z
    .string()
    .regex(/^20\d\d-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  day: z.iso.date().optional().catch(undefined),
});
