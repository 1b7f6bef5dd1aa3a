/** A request for each limit that Cloudflare's API enforces. */
import type { RefusedLimit } from "../edge-limits.ts";
import type { Answer, ApiCalls } from "./api-calls.ts";
import { containerCases } from "./container-cases.ts";
import type { LimitCase } from "./limit-case.ts";

const counted = (send: LimitCase["send"]): LimitCase => ({ kind: "count", at: 2, send });
const sized = (at: number, send: LimitCase["send"]): LimitCase => ({ kind: "size", at, send });

const repeat = <T>(size: number, of: (n: number) => T): T[] => Array.from({ length: size }, (_, n) => of(n));
const text = (size: number) => "a".repeat(size);
const everyone = { everyone: {} };
const rules = (size: number) => repeat(size, (n) => ({ email: { email: `${n}@example.com` } }));
const application = (name: string, more: object = {}) => ({
  name,
  type: "self_hosted",
  domain: `${name}.edge.localhost`,
  ...more,
});
const variables = (values: string[]) => ({
  bindings: values.map((value, n) => ({ type: "plain_text", name: `V${n}`, text: value })),
});
const origin = { scheme: "postgres", host: "h", database: "d", user: "u", password: "p" };
const hyperdrive = (name: string, more: object = {}) => ({ name, origin, ...more });
const gateway = (id: string, more: object = {}) => ({
  id,
  cache_invalidate_on_update: true,
  cache_ttl: null,
  collect_logs: true,
  rate_limiting_interval: null,
  rate_limiting_limit: null,
  ...more,
});
const file = { hash: "0".repeat(32), size: 1 };

async function permissionGroup(api: ApiCalls): Promise<string> {
  const { result } = await api.account("GET", "tokens/permission_groups");
  return (result as { id: string }[])[0]?.id ?? "";
}
const withNamespace = (api: ApiCalls) => api.created(api.account("POST", "storage/kv/namespaces", { title: "kv" }));
const withScript = (api: ApiCalls) => api.upload("scripts/app");
const withBucket = (api: ApiCalls) => api.account("POST", "r2/buckets", { name: "bucket" });
const withQueue = (api: ApiCalls) => api.created(api.account("POST", "queues", { queue_name: "queue" }), "queue_id");

/** A setting of a queue's consumer. */
const consumer = (setting: string, at: number): LimitCase => ({
  ...sized(at, (api, value, queue) =>
    api.account("PUT", String(queue), { type: "http_pull", settings: { [setting]: value } }),
  ),
  prepare: async (api) => {
    const path = `queues/${await withQueue(api)}/consumers`;
    return `${path}/${await api.created(api.account("POST", path, { type: "http_pull" }), "consumer_id")}`;
  },
});
const queueSetting = (setting: string, at: number): LimitCase => ({
  ...sized(at, (api, value, queue) => api.account("PATCH", `queues/${queue}`, { settings: { [setting]: value } })),
  prepare: withQueue,
});
const kvEntry = (at: number, send: (api: ApiCalls, size: number, values: string) => Promise<Answer>): LimitCase => ({
  ...sized(at, (api, size, namespace) => send(api, size, `storage/kv/namespaces/${namespace}`)),
  prepare: withNamespace,
});

function kvForm(metadata: unknown): FormData {
  const form = new FormData();
  form.set("value", "v");
  form.set("metadata", JSON.stringify(metadata));
  return form;
}

export const limitCases = {
  accessApplications: counted((api, n) => api.account("POST", "access/apps", application(`a${n}`))),
  accessGroups: counted((api, n) => api.account("POST", "access/groups", { name: `g${n}`, include: [everyone] })),
  accessPolicies: counted((api, n) =>
    api.account("POST", "access/policies", { name: `p${n}`, decision: "allow", include: [everyone] }),
  ),
  accessGroupRules: sized(2, (api, n) => api.account("POST", "access/groups", { name: `g${n}`, include: rules(n) })),
  accessApplicationRules: sized(3, (api, n) =>
    api.account(
      "POST",
      "access/apps",
      application(`a${n}`, {
        policies: [
          { name: "p", decision: "allow", include: [everyone] },
          { name: "q", decision: "allow", include: rules(n - 1) },
        ],
      }),
    ),
  ),
  accessApplicationDestinations: sized(2, (api, n) =>
    api.account("POST", "access/apps", application(`a${n}`, { destinations: repeat(n, (i) => ({ uri: `${i}.a` })) })),
  ),
  accessApplicationUrl: sized(20, (api, n) =>
    api.account("POST", "access/apps", application("a", { domain: text(n) })),
  ),
  accessName: sized(5, (api, n) => api.account("POST", "access/groups", { name: text(n), include: [everyone] })),
  accessServiceTokens: counted((api, n) => api.account("POST", "access/service_tokens", { name: `t${n}` })),
  zeroTrustLists: counted((api, n) => api.account("POST", "gateway/lists", { name: `l${n}`, type: "EMAIL" })),
  zeroTrustListEntries: sized(2, (api, n) =>
    api.account("POST", "gateway/lists", {
      name: `l${n}`,
      type: "EMAIL",
      items: repeat(n, (i) => ({ value: `${i}@example.com` })),
    }),
  ),
  accountApiTokens: {
    ...counted((api, n, id) =>
      api.account("POST", "tokens", {
        name: `t${n}`,
        policies: [{ effect: "allow", permission_groups: [{ id }], resources: {} }],
      }),
    ),
    prepare: permissionGroup,
  },
  scripts: counted((api, n) => api.upload(`scripts/s${n}`)),
  scriptSize: sized(30, (api, size) => api.upload("scripts/s", {}, text(size))),
  scriptVariables: sized(2, (api, n) => api.upload("scripts/s", variables(repeat(n, () => "")))),
  scriptVariable: sized(9, (api, size) => api.upload("scripts/s", variables([text(size)]))),
  scriptName: sized(4, (api, size) => api.upload(`scripts/${text(size)}`)),
  namespacedScriptTags: {
    ...sized(2, (api, n) => api.upload("dispatch/namespaces/t/scripts/s", { tags: repeat(n, String) })),
    prepare: (api) => api.account("POST", "workers/dispatch/namespaces", { name: "t" }),
  },
  cpuTime: { kind: "size", send: (api, cpu_ms) => api.upload("scripts/s", { limits: { cpu_ms } }) },
  subrequestsMost: { kind: "size", send: (api, subrequests) => api.upload("scripts/s", { limits: { subrequests } }) },
  cronTriggers: {
    ...sized(2, (api, n) =>
      api.account(
        "PUT",
        "workers/scripts/app/schedules",
        repeat(n, (i) => ({ cron: `${i} * * * *` })),
      ),
    ),
    prepare: withScript,
  },
  assetFiles: sized(2, (api, n) =>
    api.account("POST", "workers/scripts/s/assets-upload-session", {
      manifest: Object.fromEntries(repeat(n, (i) => [`/${i}`, file])),
    }),
  ),
  assetFile: {
    kind: "size",
    send: (api, size) =>
      api.account("POST", "workers/scripts/s/assets-upload-session", { manifest: { "/a": { ...file, size } } }),
  },
  dnsRecords: counted((api, n) => api.zone("POST", "dns_records", { name: `r${n}`, type: "A", content: "192.0.2.1" })),
  routes: counted((api, n) => api.zone("POST", "workers/routes", { pattern: `r${n}.edge.localhost/*` })),
  objectClasses: sized(2, (api, n) =>
    api.upload(`scripts/s${n}`, { migrations: { new_sqlite_classes: repeat(n, (i) => `C${i}`) } }),
  ),
  ...containerCases,
  kvNamespaces: counted((api, n) => api.account("POST", "storage/kv/namespaces", { title: `n${n}` })),
  kvKey: kvEntry(5, (api, size, path) => api.account("PUT", `${path}/values/${text(size)}`, "v")),
  kvValue: kvEntry(5, (api, size, path) => api.account("PUT", `${path}/values/k`, text(size))),
  kvMetadata: kvEntry(9, (api, size, path) => api.account("PUT", `${path}/values/k`, kvForm(text(size - 2)))),
  kvExpirationTtl: {
    kind: "size",
    prepare: withNamespace,
    send: (api, ttl, namespace) =>
      api.account("PUT", `storage/kv/namespaces/${namespace}/values/k?expiration_ttl=${ttl}`, "v"),
  },
  kvBulkPairs: kvEntry(2, (api, n, path) =>
    api.account(
      "PUT",
      `${path}/bulk`,
      repeat(n, (i) => ({ key: `k${i}`, value: "v" })),
    ),
  ),
  kvBulkBytes: kvEntry(60, (api, size, path) =>
    api.account("PUT", `${path}/bulk`, JSON.stringify([{ key: "k", value: "v" }]).padEnd(size)),
  ),
  buckets: counted((api, n) => api.account("POST", "r2/buckets", { name: `bucket-${n}` })),
  bucketLifecycleRules: {
    ...sized(2, (api, n) =>
      api.account("PUT", "r2/buckets/bucket/lifecycle", {
        rules: repeat(n, (i) => ({ id: `r${i}`, enabled: true, conditions: {} })),
      }),
    ),
    prepare: withBucket,
  },
  queues: counted((api, n) => api.account("POST", "queues", { queue_name: `q${n}` })),
  queueBatch: consumer("batch_size", 5),
  queueBatchWait: consumer("max_wait_time_ms", 5),
  queueRetries: consumer("max_retries", 5),
  queueConcurrency: consumer("max_concurrency", 5),
  queueDelay: queueSetting("delivery_delay", 5),
  queueRetention: queueSetting("message_retention_period", 90),
  hyperdriveConfigs: counted((api, n) => api.account("POST", "hyperdrive/configs", hyperdrive(`h${n}`))),
  hyperdriveConnections: {
    kind: "size",
    send: (api, n) => api.account("POST", "hyperdrive/configs", hyperdrive(`h${n}`, { origin_connection_limit: n })),
  },
  hyperdriveConnectionsLeast: {
    kind: "size",
    send: (api, n) => api.account("POST", "hyperdrive/configs", hyperdrive(`h${n}`, { origin_connection_limit: n })),
  },
  hyperdriveName: sized(4, (api, size) =>
    api.account("POST", "hyperdrive/configs", hyperdrive(`h${size}`, { origin: { ...origin, database: text(size) } })),
  ),
  aiGateways: counted((api, n) => api.account("POST", "ai-gateway/gateways", gateway(`g${n}`))),
  aiGatewayLogsLeast: {
    kind: "size",
    send: (api, n) => api.account("POST", "ai-gateway/gateways", gateway(`g${n}`, { log_management: n })),
  },
} satisfies Record<Exclude<RefusedLimit, "apiRequests" | "requestBody" | "requestUrl">, LimitCase>;
