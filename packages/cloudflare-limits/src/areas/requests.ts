import { type Limit, PAGES } from "../limit.ts";

const page = PAGES.workers;

export const requests = {
  requestUrl: {
    of: "URL of a request",
    value: 16 * 1_024,
    unit: "bytes",
    page,
    beyond: { status: 414, text: "The URL has at most {limit} bytes." },
  },
  requestHeaders: {
    of: "All headers of a request",
    value: 128 * 1_024,
    unit: "bytes",
    page,
    beyond: { status: 431, text: "The headers have at most {limit} bytes." },
  },
  responseHeaders: {
    of: "All headers of a response",
    value: 128 * 1_024,
    unit: "bytes",
    page,
    beyond: "Not documented. The edge sends status 502.",
  },
  requestBody: {
    of: "Body of a request",
    value: 100 * 1_024 * 1_024,
    otherPlans: { Business: 200 * 1_024 * 1_024, Enterprise: 500 * 1_024 * 1_024 },
    unit: "bytes",
    page,
    beyond: { status: 413, text: "The body has at most {limit} bytes.", source: page },
  },
} as const satisfies Record<string, Limit>;
