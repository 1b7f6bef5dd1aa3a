/** Cloudflare's documented limits that depend on the account, the plan or the product. */
import { access } from "./areas/access.ts";
import { aiGateway } from "./areas/ai-gateway.ts";
import { analyticsEngine } from "./areas/analytics-engine.ts";
import { api } from "./areas/api.ts";
import { containers } from "./areas/containers.ts";
import { durableObjects } from "./areas/durable-objects.ts";
import { hyperdrive } from "./areas/hyperdrive.ts";
import { kv } from "./areas/kv.ts";
import { queues } from "./areas/queues.ts";
import { r2 } from "./areas/r2.ts";
import { requests } from "./areas/requests.ts";
import { workers } from "./areas/workers.ts";
import { zones } from "./areas/zones.ts";
import type { Limit } from "./limit.ts";

export type { Limit, Refusal, Unit } from "./limit.ts";

/** Date at which all values were compared with their pages. */
export const CHECKED = "2026-11-26";

/** Limits by product, in the order of the document. */
export const AREAS = {
  "Zero Trust and Access": access,
  "Cloudflare's API": api,
  Workers: workers,
  Requests: requests,
  Zones: zones,
  "Durable Objects": durableObjects,
  Containers: containers,
  "Workers KV": kv,
  R2: r2,
  Queues: queues,
  Hyperdrive: hyperdrive,
  "AI Gateway": aiGateway,
  "Analytics Engine": analyticsEngine,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Limit>>>>;

export const LIMITS = {
  ...access,
  ...api,
  ...workers,
  ...requests,
  ...zones,
  ...durableObjects,
  ...containers,
  ...kv,
  ...r2,
  ...queues,
  ...hyperdrive,
  ...aiGateway,
  ...analyticsEngine,
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof LIMITS;
