import * as z from "zod";

export const periods = [7, 30, 45] as const;
export type Period = (typeof periods)[number];
export const DEFAULT_PERIOD: Period = 30;

const metricViews = ["cost", "queries", "time", "sessions", "traffic"] as const;
export type MetricView = (typeof metricViews)[number];
export const chartViews = [...metricViews, "partners"] as const;
export type ChartView = (typeof chartViews)[number];

export const overviewSearch = z.object({
  days: z
    .literal([...periods])
    .optional()
    .catch(undefined),
  chart: z.enum(chartViews).optional().catch(undefined),
});
