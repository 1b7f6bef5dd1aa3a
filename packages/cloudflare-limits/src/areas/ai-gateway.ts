import { type Limit, PAGES } from "../limit.ts";
import { AI_GATEWAY_LOG_PAGE, AI_GATEWAY_METADATA, AI_GATEWAYS } from "../values.ts";

const page = PAGES.aiGateway;

export const aiGateway = {
  aiGateways: {
    of: "AI gateways of an account",
    value: AI_GATEWAYS,
    otherPlans: { Free: 10 },
    page,
    beyond: { status: 403, code: 7008, text: "Maximum number of gateways ({limit}) reached" },
  },
  aiGatewayLogs: {
    of: "Log entries of an AI gateway",
    value: 10_000_000,
    otherPlans: { "Free, all gateways of an account": 100_000 },
    page: PAGES.aiGatewayLogs,
    beyond: "New entries are not stored, or the oldest are deleted, by `log_management_strategy`.",
  },
  aiGatewayLogsLeast: {
    of: "Setting `log_management` of an AI gateway",
    value: 10_000,
    isMinimum: true,
    unit: "entries",
    page: PAGES.aiGatewayApi,
    beyond: { status: 400, code: 1001, text: "log_management: must be at least {limit}" },
  },
  aiGatewayLogSize: {
    of: "Log entry of an AI gateway",
    value: 10_000_000,
    unit: "bytes",
    page: PAGES.aiGatewayLogs,
    beyond: "The entry is not stored.",
  },
  aiGatewayLogPage: {
    of: "Entries of a page of AI gateway logs",
    value: AI_GATEWAY_LOG_PAGE,
    page: PAGES.aiGatewayLogsApi,
    beyond: "A page has at most this number.",
  },
  aiGatewayMetadata: {
    of: "Entries of custom metadata of a request to an AI gateway",
    value: AI_GATEWAY_METADATA,
    page,
    beyond: "Only the first entries are stored.",
  },
  aiGatewayCacheableRequest: {
    of: "Cacheable request to an AI gateway",
    value: 25_000_000,
    unit: "bytes",
    page,
    beyond: "The response is not cached.",
  },
} as const satisfies Record<string, Limit>;
