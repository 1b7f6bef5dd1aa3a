import { expect, test } from "vitest";
import { USAGE_UNITS, usageMetrics } from "#domain/billing/usage-metric.ts";
import { METRIC_UNITS } from "./cost-metrics.ts";

test("has every billed metric in the dataset, in the same unit", () => {
  for (const metric of usageMetrics) {
    expect(METRIC_UNITS[metric]).toBe(metric === "ai_spend" ? "millionths of a US dollar" : USAGE_UNITS[metric]);
  }
});
