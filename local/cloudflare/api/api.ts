/** The local Cloudflare v4 API: what `coverage.ts` declares, over the records of a {@link Store}. */
import { Hono } from "hono";
import type { Store } from "../../account/store.ts";
import type { Log } from "../../log.ts";
import { accessApplications } from "../kinds/access/applications.ts";
import { accessGroups } from "../kinds/access/groups.ts";
import { accessPolicies } from "../kinds/access/policies.ts";
import { accounts } from "../kinds/accounts/api.ts";
import { aiGateways } from "../kinds/ai-gateways/api.ts";
import { containers } from "../kinds/containers/api.ts";
import { cronTriggers } from "../kinds/cron-triggers/api.ts";
import { dispatchNamespaces } from "../kinds/dispatch-namespaces/api.ts";
import { dnsRecords } from "../kinds/dns/api.ts";
import { durableObjects } from "../kinds/durable-objects/api.ts";
import { hyperdrive } from "../kinds/hyperdrive/api.ts";
import { kvEntries } from "../kinds/kv/entries.ts";
import { kvNamespaces } from "../kinds/kv/namespaces.ts";
import { lists } from "../kinds/lists/api.ts";
import { namespacedScripts } from "../kinds/namespaced-scripts/api.ts";
import { namespacedScriptSecrets } from "../kinds/namespaced-scripts/secrets.ts";
import { queues } from "../kinds/queues/api.ts";
import { queueConsumers } from "../kinds/queues/consumers.ts";
import { r2Buckets } from "../kinds/r2/api.ts";
import { routes } from "../kinds/routes/api.ts";
import { workersScripts } from "../kinds/scripts/api.ts";
import { scriptSecrets } from "../kinds/scripts/secrets.ts";
import { workerServices } from "../kinds/scripts/services.ts";
import { tokens } from "../kinds/tokens/api.ts";
import { user } from "../kinds/user/api.ts";
import { zones } from "../kinds/zones/api.ts";
import { ApiError } from "./api-error.ts";
import { bearerCheck } from "./authentication.ts";
import type { Handler } from "./call.ts";
import type { CoveredKind, Handlers } from "./coverage.ts";
import type { Edge } from "./edge.ts";
import { failure } from "./envelope.ts";
import type { RuntimePort } from "./runtime-port.ts";

export interface ApiOptions {
  store: Store;
  /** Contents of key-value namespaces and buckets. */
  runtime: RuntimePort;
  /** 32 hexadecimal digits; any other account is refused. */
  accountId: string;
  /** 32 hexadecimal digits; any other zone is unknown. */
  zoneId: string;
  /** Name of the zone. */
  domain: string;
  /** The one bearer token that opens the API. */
  apiToken: string;
  log: Log;
}

const kinds: { readonly [K in CoveredKind]: (edge: Edge) => Handlers<K> } = {
  accounts,
  user,
  tokens,
  zones,
  "dns-records": dnsRecords,
  routes,
  "workers-scripts": workersScripts,
  "worker-services": workerServices,
  "script-secrets": scriptSecrets,
  "cron-triggers": cronTriggers,
  "dispatch-namespaces": dispatchNamespaces,
  "namespaced-scripts": namespacedScripts,
  "namespaced-script-secrets": namespacedScriptSecrets,
  "durable-objects": durableObjects,
  containers,
  "kv-namespaces": kvNamespaces,
  "kv-entries": kvEntries,
  "r2-buckets": r2Buckets,
  queues,
  "queue-consumers": queueConsumers,
  hyperdrive,
  "access-applications": accessApplications,
  "access-policies": accessPolicies,
  "access-groups": accessGroups,
  lists,
  "ai-gateways": aiGateways,
};

const identifier = /^[0-9a-f]{32}$/;

/** Refuses another account or zone than the edge's own. */
function checkScope(edge: Edge, params: Record<string, string>, path: string): void {
  for (const [name, own] of [
    ["account_id", edge.accountId],
    ["zone_id", edge.zoneId],
  ] as const) {
    const given = params[name];
    if (given === undefined || given === own) continue;
    if (!identifier.test(given)) {
      throw new ApiError(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`);
    }
    if (name === "zone_id") throw new ApiError(404, 1001, "Invalid zone identifier");
    throw new ApiError(403, 10000, "Authentication error");
  }
}

/** The API as an application, to be mounted at `/client/v4`. What it does not serve answers 501 and is logged. */
export function createApi({ apiToken, ...edge }: ApiOptions): Hono {
  const app = new Hono();
  const authenticate = bearerCheck(apiToken);
  app.onError((error, c) => {
    if (error instanceof ApiError) return failure(error.status, [{ code: error.code, message: error.message }]);
    edge.log("api", "fault", { method: c.req.method, path: c.req.path, error: error.message });
    return failure(500, [{ code: 10013, message: "An unknown error has occurred. The edge's log has the details." }]);
  });
  app.use("*", async (c, next) => {
    authenticate(c.req.raw);
    await next();
  });
  for (const kind of Object.values(kinds)) {
    for (const [route, handle] of Object.entries<Handler<string>>(kind(edge))) {
      const [method = "", path = ""] = route.split(" ");
      app.on(method, path, async (c) => {
        const params = c.req.param() as Record<string, string>;
        checkScope(edge, params, c.req.path);
        const body = new Uint8Array(await c.req.arrayBuffer());
        return handle({ params, query: new URL(c.req.url).searchParams, headers: c.req.raw.headers, body });
      });
    }
  }
  app.all("*", (c) => {
    edge.log("api", "unsupported", { method: c.req.method, path: c.req.path });
    const message = `Not supported by the local edge: ${c.req.method} ${c.req.path}`;
    return failure(501, [{ code: 7000, message }], { "x-should-retry": "false" });
  });
  return app;
}
