import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import { ANALYTICS_POINTS } from "../values.ts";

// Texts: cloudflare/workerd, src/workerd/api/analytics-engine-impl.h.

const page = PAGES.analyticsEngine;

export const analyticsEngine = {
  analyticsPoints: {
    of: "Data points of an invocation",
    value: ANALYTICS_POINTS,
    page,
    // cloudflare/workerd, src/workerd/io/limit-enforcer.h: newAnalyticsEngineRequest
    beyond: "`writeDataPoint` throws; the text is not documented.",
  },
  analyticsBlobs: {
    of: "Blobs of a data point",
    value: 20,
    page,
    beyond: "`writeDataPoint` throws `Maximum of 20 blobs supported`.",
  },
  analyticsDoubles: { of: "Doubles of a data point", value: 20, page, beyond: "`writeDataPoint` throws." },
  analyticsIndexes: { of: "Indexes of a data point", value: 1, page, beyond: "`writeDataPoint` throws." },
  analyticsBlobBytes: {
    of: "All blobs of a data point",
    value: 16 * 1_024,
    unit: "bytes",
    page,
    beyond: "`writeDataPoint` throws.",
  },
  analyticsIndexBytes: {
    of: "Index of a data point",
    value: 96,
    unit: "bytes",
    page,
    beyond: "`writeDataPoint` throws.",
  },
  analyticsRetention: {
    of: "Retention of data points",
    value: 3,
    unit: "months",
    page,
    beyond: "The points are deleted.",
  },
  analyticsQueries: {
    of: "Queries of Analytics Engine per day",
    value: Number.POSITIVE_INFINITY,
    otherPlans: { Free: 10_000 },
    page: "https://developers.cloudflare.com/analytics/analytics-engine/pricing/",
    beyond: NOT_DOCUMENTED,
  },
} as const satisfies Record<string, Limit>;
