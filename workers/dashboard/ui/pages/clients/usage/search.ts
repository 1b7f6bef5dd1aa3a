/** What the address of a client's usage says. */
import * as z from "zod";
import { usageMetrics } from "#domain/billing/usage-metric.ts";

/** Days that can be chosen. */
export const spans = [7, 30, 90, 365] as const;

export const usageSearch = z.object({
  days: z.literal(spans).optional().catch(undefined),
  metric: z.enum(usageMetrics).optional().catch(undefined),
  /** Whether the days are shown as a table. */
  as: z.enum(["chart", "table"]).optional().catch(undefined),
});
