/** Cloudflare's response to a request above a limit. */
export interface Refusal {
  readonly status: number;
  /** Of the API's error envelope. */
  readonly code?: number;
  /** `{limit}` stands for the value, `{count}` for what exceeds it. */
  readonly text: string;
  /** Page, issue or source file that documents status and code. Absent: not documented; the edge sends these. */
  readonly source?: string;
}

export type Unit =
  | "bytes"
  | "characters"
  | "days"
  | "entries"
  | "GB"
  | "MB"
  | "MiB"
  | "milliseconds"
  | "months"
  | "requests"
  | "seconds"
  | "vCPU";

export interface Limit {
  /** What is limited, and for what, such as "Access applications of an account". */
  readonly of: string;
  /** Maximum, or minimum if `isMinimum`. For plan-dependent limits, the value of Workers Paid or of a zone on the Pro plan. */
  readonly value: number;
  /** Default: a count. */
  readonly unit?: Unit;
  readonly isMinimum?: true;
  /** Values of other plans. */
  readonly otherPlans?: Readonly<Record<string, number>>;
  /** Documentation of the value. */
  readonly page: string;
  /** What happens above the maximum or below the minimum. A text describes what is not a response of the API. */
  readonly beyond: Refusal | string;
}

export const NOT_DOCUMENTED = "Not documented";

const DOCS = "https://developers.cloudflare.com";
/** Documentation pages. */
export const PAGES = {
  access: `${DOCS}/cloudflare-one/account-limits/`,
  aiGateway: `${DOCS}/ai-gateway/reference/limits/`,
  aiGatewayApi: `${DOCS}/api/resources/ai_gateway/methods/create/`,
  aiGatewayLogs: `${DOCS}/ai-gateway/observability/logging/legacy-logs/`,
  aiGatewayLogsApi: `${DOCS}/api/resources/ai_gateway/subresources/logs/methods/list/`,
  analyticsEngine: `${DOCS}/analytics/analytics-engine/limits/`,
  api: `${DOCS}/fundamentals/api/reference/limits/`,
  assetsRouting: `${DOCS}/workers/static-assets/binding/`,
  containers: `${DOCS}/containers/platform/limits/`,
  dns: `${DOCS}/dns/manage-dns-records/`,
  durableObjects: `${DOCS}/durable-objects/platform/limits/`,
  hyperdrive: `${DOCS}/hyperdrive/platform/limits/`,
  hyperdriveApi: `${DOCS}/api/resources/hyperdrive/`,
  kv: `${DOCS}/kv/platform/limits/`,
  kvList: `${DOCS}/kv/api/list-keys/`,
  kvWrite: `${DOCS}/kv/api/write-key-value-pairs/`,
  platforms: `${DOCS}/cloudflare-for-platforms/workers-for-platforms/platform/limits/`,
  queues: `${DOCS}/queues/platform/limits/`,
  r2: `${DOCS}/r2/platform/limits/`,
  r2Lifecycle: `${DOCS}/r2/buckets/object-lifecycles/`,
  r2Objects: `${DOCS}/r2/api/workers/workers-api-reference/`,
  workers: `${DOCS}/workers/platform/limits/`,
  workersErrors: `${DOCS}/workers/observability/errors/`,
} as const;
