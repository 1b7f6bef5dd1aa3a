import { type Limit, PAGES } from "../limit.ts";

export const zones = {
  dnsRecords: {
    of: "DNS records of a zone",
    value: 3_500,
    otherPlans: { Free: 200, "Free before September 2024": 1_000 },
    page: PAGES.dns,
    beyond: {
      status: 400,
      code: 81045,
      text: "Record quota exceeded.",
      source: "https://github.com/js-org/js.org/issues/2873",
    },
  },
  routes: {
    of: "Workers routes of a zone",
    value: 1_000,
    page: PAGES.workers,
    beyond: { status: 400, code: 10022, text: "A zone has at most {limit} routes" },
  },
} as const satisfies Record<string, Limit>;
