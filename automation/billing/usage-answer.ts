/** The answer in `FORMAT JSON` to `rollupSql` of domain/usage-rollup.ts. */
import * as z from "zod";
import { usageMetrics } from "../../domain/usage-metric.ts";
import type { UsageRow } from "../../domain/usage-rollup.ts";

const answer = z.object({
  data: z.array(
    z.object({
      tenant: z.string(),
      metric: z.enum(usageMetrics),
      /** A double; the vendor writes large integers as texts. */
      quantity: z
        .union([
          z.number(),
          z
            .string()
            .regex(/^\d+(\.\d+)?$/)
            .transform(Number),
        ])
        .pipe(z.number().nonnegative()),
    }),
  ),
});

/** @throws z.ZodError when it is no such answer: nothing of it counts then */
export function parseUsageAnswer(given: unknown): UsageRow[] {
  return answer.parse(given).data;
}
