/**
 * What the local Cloudflare API stores: one record type a kind, in the API's own snake_case. The runtime and the Access
 * stand-in read these records and nothing else, so they see just what the API was sent.
 */

interface Stamped {
  created_on: string;
  modified_on: string;
}

/** One module of a script; its bytes lie in the blob store under `sha256`. */
export interface ScriptModule {
  name: string;
  /** MIME type as uploaded, such as `application/javascript+module`. */
  type: string;
  sha256: string;
}

/** A binding of a script as uploaded: `type`, `name` and the fields of that type (`text`, `class_name`, …). */
export interface ScriptBinding {
  type: string;
  name: string;
  [field: string]: unknown;
}

/** A script of the account, or of a dispatch namespace when `namespace` is set. */
export interface ScriptRecord extends Stamped {
  /** Script name; `{namespace}/{name}` for one in a dispatch namespace. */
  id: string;
  name: string;
  namespace?: string;
  main_module: string;
  modules: ScriptModule[];
  /** Secret values are kept here (`secret_text`), and never answered by the API. */
  bindings: ScriptBinding[];
  compatibility_date?: string;
  compatibility_flags: string[];
  /** Durable Object classes the script's migrations created, and the last migration tag applied. */
  durable_objects: { class_name: string; sqlite: boolean; namespace_id: string }[];
  migration_tag?: string;
  containers: { class_name: string }[];
  tags: string[];
  limits: { cpu_ms?: number; subrequests?: number };
  etag: string;
  [field: string]: unknown;
}

export interface SchedulesRecord {
  /** Script name. */
  id: string;
  schedules: { cron: string; created_on: string; modified_on: string }[];
}

export interface RouteRecord {
  id: string;
  zone_id: string;
  pattern: string;
  script?: string;
}

export interface DispatchNamespaceRecord extends Stamped {
  /** The namespace's name. */
  id: string;
  namespace_id: string;
}

export interface KvNamespaceRecord {
  id: string;
  title: string;
}

export interface BucketRecord {
  /** The bucket's name. */
  id: string;
  creation_date: string;
  location: string;
  storage_class: string;
  lifecycle_rules: unknown[];
}

export interface QueueRecord extends Stamped {
  id: string;
  queue_name: string;
  settings: { delivery_delay?: number; delivery_paused?: boolean; message_retention_period?: number };
}

export interface QueueConsumerRecord {
  id: string;
  queue_id: string;
  type: "worker" | "http_pull";
  script_name?: string;
  dead_letter_queue?: string;
  settings: {
    batch_size?: number;
    max_concurrency?: number;
    max_retries?: number;
    max_wait_time_ms?: number;
    retry_delay?: number;
  };
  created_on: string;
}

export interface HyperdriveRecord extends Stamped {
  id: string;
  name: string;
  /** With its password, which the API never answers. */
  origin: { scheme: string; host: string; port?: number; database: string; user: string; password: string };
  [field: string]: unknown;
}

/** One rule of an Access group or policy: a single key such as `email`, `email_list`, `group`, `everyone`. */
export type AccessRule = Record<string, Record<string, unknown>>;

export interface AccessGroupRecord {
  id: string;
  name: string;
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
  created_at: string;
  updated_at: string;
}

export interface AccessPolicyRecord {
  id: string;
  name: string;
  /** False for a policy of one application alone, which goes with it. */
  reusable?: boolean;
  decision: "allow" | "deny" | "bypass" | "non_identity";
  include: AccessRule[];
  exclude: AccessRule[];
  require: AccessRule[];
  session_duration?: string;
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}

export interface AccessApplicationRecord {
  id: string;
  aud: string;
  name: string;
  type: string;
  /** Host with an optional path, such as `acme.example.com/api/health`. */
  domain: string;
  session_duration: string;
  /** Reusable policies by id, in order of precedence, and policies of this application alone. */
  policies: { id: string; precedence: number }[];
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}

/** A Zero Trust list; rules of Access may name one of type `EMAIL`. */
export interface ListRecord {
  id: string;
  name: string;
  type: string;
  description: string;
  items: { value: string; description?: string; created_at: string }[];
  created_at: string;
  updated_at: string;
}

export interface AiGatewayRecord {
  id: string;
  created_at: string;
  modified_at: string;
  [field: string]: unknown;
}

export interface ApiTokenRecord {
  id: string;
  name: string;
  status: string;
  policies: unknown[];
  /** SHA-256 of the token's value, which is answered once. */
  value_sha256: string;
  issued_on: string;
  modified_on: string;
  [field: string]: unknown;
}

export interface ContainerApplicationRecord {
  id: string;
  name: string;
  durable_objects: { namespace_id: string };
  /** Without an image when Durable Objects manage the containers. */
  configuration: { image?: string; instance_type?: string; [field: string]: unknown };
  instances?: number;
  max_instances?: number;
  scheduling_policy: string;
  created_at: string;
  [field: string]: unknown;
}

export interface DnsRecord extends Stamped {
  id: string;
  zone_id: string;
  name: string;
  type: string;
  content: string;
  proxied: boolean;
  ttl: number;
  [field: string]: unknown;
}

/** Every kind the store holds and its record. */
export interface Kinds {
  script: ScriptRecord;
  schedules: SchedulesRecord;
  route: RouteRecord;
  dispatch_namespace: DispatchNamespaceRecord;
  kv_namespace: KvNamespaceRecord;
  bucket: BucketRecord;
  queue: QueueRecord;
  queue_consumer: QueueConsumerRecord;
  hyperdrive: HyperdriveRecord;
  access_group: AccessGroupRecord;
  access_policy: AccessPolicyRecord;
  access_application: AccessApplicationRecord;
  list: ListRecord;
  ai_gateway: AiGatewayRecord;
  api_token: ApiTokenRecord;
  container_application: ContainerApplicationRecord;
  dns_record: DnsRecord;
}
export type Kind = keyof Kinds;
