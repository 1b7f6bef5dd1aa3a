import { type Limit, PAGES } from "../limit.ts";

const page = PAGES.hyperdrive;
/** The code of invalid configurations, which the edge sends. */
const invalid = (text: string) => ({ status: 400, code: 2007, text });

export const hyperdrive = {
  hyperdriveConfigs: {
    of: "Hyperdrive configurations of an account",
    value: 25,
    otherPlans: { Free: 10 },
    page,
    beyond: invalid("An account has at most {limit} Hyperdrive configurations"),
  },
  hyperdriveConnections: {
    of: "Connections of a Hyperdrive configuration to its database",
    value: 100,
    otherPlans: { Free: 20 },
    page,
    beyond: invalid("origin_connection_limit: must be at most {limit}"),
  },
  hyperdriveConnectionsDefault: {
    of: "Connections of a Hyperdrive configuration without `origin_connection_limit`",
    value: 60,
    otherPlans: { Free: 20 },
    page: PAGES.hyperdriveApi,
    beyond: "Further queries wait for a connection.",
  },
  hyperdriveConnectionsLeast: {
    of: "Setting `origin_connection_limit` of a Hyperdrive configuration",
    value: 5,
    isMinimum: true,
    page: PAGES.hyperdriveApi,
    beyond: invalid("origin_connection_limit: must be at least {limit}"),
  },
  hyperdriveName: {
    of: "Database name or user of a Hyperdrive configuration",
    value: 63,
    unit: "bytes",
    page,
    beyond: invalid("origin: database and user have at most {limit} bytes"),
  },
  hyperdriveConnectTimeout: {
    of: "Time to connect to a database",
    value: 15,
    unit: "seconds",
    page,
    beyond: "The query fails: `Failed to acquire a connection from the pool.`",
  },
  hyperdriveIdleConnection: {
    of: "Time for which an idle connection stays open",
    value: 600,
    unit: "seconds",
    page,
    beyond: "The connection closes.",
  },
  hyperdriveQuery: {
    of: "Duration of a query",
    value: 60,
    unit: "seconds",
    page,
    beyond: "The query is terminated; the text is not documented.",
  },
} as const satisfies Record<string, Limit>;
