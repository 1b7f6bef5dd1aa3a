import { type Limit, PAGES } from "../limit.ts";

const page = PAGES.durableObjects;

export const durableObjects = {
  objectClasses: {
    of: "Durable Object classes of an account, without those of dispatch namespaces",
    value: 500,
    otherPlans: { Free: 100 },
    page,
    beyond: { status: 400, code: 10021, text: "An account has at most {limit} Durable Object classes" },
  },
  objectStorage: {
    of: "Storage of a Durable Object",
    value: 10_000_000_000,
    unit: "bytes",
    page,
    beyond: "Writes throw `SQLITE_FULL`.",
  },
  objectEntry: {
    of: "Key and value together in a Durable Object's storage, and a row or text of its SQL",
    value: 2_000_000,
    unit: "bytes",
    page,
    beyond: "The write throws; the text is not documented.",
  },
  objectSqlStatement: {
    of: "SQL statement of a Durable Object",
    value: 100_000,
    unit: "bytes",
    page,
    beyond: "The statement throws; the text is not documented.",
  },
  webSocketMessage: {
    of: "WebSocket message that a Worker receives",
    value: 32 * 1_024 * 1_024,
    unit: "bytes",
    page,
    beyond: "The WebSocket closes with code 1009.",
  },
} as const satisfies Record<string, Limit>;
