/** What the address of the overview says. */
import * as z from "zod";

/** Days that the figures are of. */
export const periods = [7, 30, 45] as const;
export type Period = (typeof periods)[number];
export const DEFAULT_PERIOD: Period = 30;

/** What the chart can show of the summary's days. */
const metricViews = ["cost", "queries", "time", "sessions", "traffic"] as const;
export type MetricView = (typeof metricViews)[number];
/** All that it can show; `partners` to platform roots. */
export const chartViews = [...metricViews, "partners"] as const;
export type ChartView = (typeof chartViews)[number];

export const overviewSearch = z.object({
  days: z
    .literal([...periods])
    .optional()
    .catch(undefined),
  chart: z.enum(chartViews).optional().catch(undefined),
});
