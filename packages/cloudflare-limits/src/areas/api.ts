import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import { ACCOUNT_API_TOKENS, API_REQUESTS } from "../values.ts";

const page = PAGES.api;

export const api = {
  apiRequests: {
    of: "API requests of a user or an account token in five minutes",
    value: API_REQUESTS,
    unit: "requests",
    page,
    beyond: {
      status: 429,
      code: 971,
      text: "Please wait and consider throttling your request speed",
      // The page has the status and `Retry-After`.
      source: "https://github.com/cloudflare/terraform-provider-cloudflare/issues/6502",
    },
  },
  apiRequestsBlock: {
    of: "Time for which requests are refused after the limit of API requests was exceeded",
    value: 300,
    unit: "seconds",
    page,
    beyond: "`Retry-After` has the seconds until requests are accepted.",
  },
  apiRequestsOfAddress: {
    of: "API requests of an IP address per second",
    value: 200,
    unit: "requests",
    page,
    beyond: NOT_DOCUMENTED,
  },
  accountApiTokens: {
    of: "API tokens of an account",
    value: ACCOUNT_API_TOKENS,
    page,
    beyond: { status: 400, code: 400, text: "An account has at most {limit} API tokens" },
  },
  userApiTokens: { of: "API tokens of a user", value: 50, page, beyond: NOT_DOCUMENTED },
} as const satisfies Record<string, Limit>;
