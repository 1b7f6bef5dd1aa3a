/** Row of the result of `rollupSql`. */
import * as z from "zod";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import type { UsageRow } from "#domain/billing/usage-rollup.ts";
import { sqlNumber } from "#workers/shared/analytics-sql.ts";

export const usageRow: z.ZodType<UsageRow> = z.object({
  tenant: z.string(),
  metric: z.enum(usageMetrics),
  quantity: sqlNumber.pipe(z.number().nonnegative()),
});
