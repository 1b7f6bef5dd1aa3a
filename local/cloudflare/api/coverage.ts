/**
 * What of the Cloudflare API the local edge serves, as data: `METHOD path` of each operation, the method of the official
 * SDK that calls it, and what differs from the vendor. {@link Handlers} makes the compiler hold the handlers to this table.
 */
import type { Handler, Parameters } from "./call.ts";

interface KindCoverage {
  title: string;
  /** Route to the SDK's method, or to `-` where the SDK has none. */
  operations: Readonly<Record<string, string>>;
  /** How it differs from the vendor; absent when no difference is known. */
  differs?: string;
}

export const coverage = {
  accounts: {
    title: "Accounts",
    operations: {
      "GET /accounts": "accounts.list",
      "GET /accounts/:account_id": "accounts.get",
    },
    differs: "One account; read only.",
  },
  user: {
    title: "User",
    operations: { "GET /user": "user.get", "GET /memberships": "memberships.list" },
    differs: "One user, member of the one account.",
  },
  tokens: {
    title: "API tokens",
    operations: {
      "GET /user/tokens/verify": "user.tokens.verify",
      "GET /accounts/:account_id/tokens/verify": "accounts.tokens.verify",
      "GET /accounts/:account_id/tokens/permission_groups": "accounts.tokens.permissionGroups.list",
      "POST /accounts/:account_id/tokens": "accounts.tokens.create",
      "GET /accounts/:account_id/tokens": "accounts.tokens.list",
      "GET /accounts/:account_id/tokens/:token_id": "accounts.tokens.get",
      "PUT /accounts/:account_id/tokens/:token_id": "accounts.tokens.update",
      "DELETE /accounts/:account_id/tokens/:token_id": "accounts.tokens.delete",
    },
    differs:
      "A created token is a record: it does not open this API. A dozen permission groups of the vendor's hundreds.",
  },
  zones: {
    title: "Zones",
    operations: {
      "GET /zones": "zones.list",
      "GET /zones/:zone_id": "zones.get",
    },
    differs: "One zone; read only.",
  },
  "dns-records": {
    title: "DNS records",
    operations: {
      "POST /zones/:zone_id/dns_records": "dns.records.create",
      "GET /zones/:zone_id/dns_records": "dns.records.list",
      "GET /zones/:zone_id/dns_records/:id": "dns.records.get",
      "PUT /zones/:zone_id/dns_records/:id": "dns.records.update",
      "PATCH /zones/:zone_id/dns_records/:id": "dns.records.edit",
      "DELETE /zones/:zone_id/dns_records/:id": "dns.records.delete",
    },
    differs:
      "Nothing resolves them: the local edge routes by host name. Content is checked for A, AAAA and CNAME only.",
  },
  routes: {
    title: "Workers routes",
    operations: {
      "POST /zones/:zone_id/workers/routes": "workers.routes.create",
      "GET /zones/:zone_id/workers/routes": "workers.routes.list",
      "GET /zones/:zone_id/workers/routes/:id": "workers.routes.get",
      "PUT /zones/:zone_id/workers/routes/:id": "workers.routes.update",
      "DELETE /zones/:zone_id/workers/routes/:id": "workers.routes.delete",
    },
  },
  "workers-scripts": {
    title: "Workers scripts",
    operations: {
      "PUT /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.update",
      "GET /accounts/:account_id/workers/scripts": "workers.scripts.list",
      "GET /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.get",
      "DELETE /accounts/:account_id/workers/scripts/:script_name": "workers.scripts.delete",
      "PUT /accounts/:account_id/workers/scripts/:script_name/content": "workers.scripts.content.update",
      "GET /accounts/:account_id/workers/scripts/:script_name/content/v2": "workers.scripts.content.get",
      "GET /accounts/:account_id/workers/scripts/:script_name/settings": "workers.scripts.scriptAndVersionSettings.get",
      "PATCH /accounts/:account_id/workers/scripts/:script_name/settings":
        "workers.scripts.scriptAndVersionSettings.edit",
      "GET /accounts/:account_id/workers/scripts/:script_name/script-settings": "workers.scripts.settings.get",
      "PATCH /accounts/:account_id/workers/scripts/:script_name/script-settings": "workers.scripts.settings.edit",
      "GET /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.get",
      "POST /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.create",
      "DELETE /accounts/:account_id/workers/scripts/:script_name/subdomain": "workers.scripts.subdomain.delete",
      "GET /accounts/:account_id/workers/scripts/:script_name/versions": "workers.scripts.versions.list",
      "POST /accounts/:account_id/workers/scripts/:script_name/versions": "workers.scripts.versions.create",
      "GET /accounts/:account_id/workers/scripts/:script_name/deployments": "workers.scripts.deployments.list",
      "POST /accounts/:account_id/workers/scripts/:script_name/deployments": "workers.scripts.deployments.create",
    },
    differs:
      "Modules only: no service-worker syntax, no assets, and not every kind of binding. Code is read when it first " +
      "runs, not at the upload. Only the current version is kept, and one that waits to be deployed, whole. `subdomain` is kept and " +
      "serves nothing.",
  },
  "worker-services": {
    title: "Workers as wrangler deploys them",
    operations: {
      "GET /accounts/:account_id/workers/services/:service_name": "-",
      "PUT /accounts/:account_id/workers/scripts/:script_name/routes": "-",
    },
    differs: "What `wrangler deploy` needs beside the scripts' own operations: no environments, no `tail`.",
  },
  "script-secrets": {
    title: "Secrets of a script",
    operations: {
      "PUT /accounts/:account_id/workers/scripts/:script_name/secrets": "workers.scripts.secrets.update",
      "GET /accounts/:account_id/workers/scripts/:script_name/secrets": "workers.scripts.secrets.list",
      "GET /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name": "workers.scripts.secrets.get",
      "DELETE /accounts/:account_id/workers/scripts/:script_name/secrets/:secret_name":
        "workers.scripts.secrets.delete",
      "PATCH /accounts/:account_id/workers/scripts/:script_name/secrets-bulk": "workers.scripts.secrets.bulkUpdate",
    },
    differs: "`secret_text` only.",
  },
  "cron-triggers": {
    title: "Cron triggers",
    operations: {
      "PUT /accounts/:account_id/workers/scripts/:script_name/schedules": "workers.scripts.schedules.update",
      "GET /accounts/:account_id/workers/scripts/:script_name/schedules": "workers.scripts.schedules.get",
    },
  },
  "dispatch-namespaces": {
    title: "Dispatch namespaces",
    operations: {
      "POST /accounts/:account_id/workers/dispatch/namespaces": "workersForPlatforms.dispatch.namespaces.create",
      "GET /accounts/:account_id/workers/dispatch/namespaces": "workersForPlatforms.dispatch.namespaces.list",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace":
        "workersForPlatforms.dispatch.namespaces.get",
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace":
        "workersForPlatforms.dispatch.namespaces.delete",
    },
    differs: "One that still holds scripts is not deleted.",
  },
  "namespaced-scripts": {
    title: "Scripts in a dispatch namespace",
    operations: {
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
        "workersForPlatforms.dispatch.namespaces.scripts.update",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts": "-",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
        "workersForPlatforms.dispatch.namespaces.scripts.get",
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name":
        "workersForPlatforms.dispatch.namespaces.scripts.delete",
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content":
        "workersForPlatforms.dispatch.namespaces.scripts.content.update",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/content":
        "workersForPlatforms.dispatch.namespaces.scripts.content.get",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
        "workersForPlatforms.dispatch.namespaces.scripts.settings.get",
      "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/settings":
        "workersForPlatforms.dispatch.namespaces.scripts.settings.edit",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/bindings":
        "workersForPlatforms.dispatch.namespaces.scripts.bindings.get",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags":
        "workersForPlatforms.dispatch.namespaces.scripts.tags.list",
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags":
        "workersForPlatforms.dispatch.namespaces.scripts.tags.update",
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag": "-",
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/tags/:tag":
        "workersForPlatforms.dispatch.namespaces.scripts.tags.delete",
    },
    differs: "As with scripts of the account.",
  },
  "namespaced-script-secrets": {
    title: "Secrets of a script in a dispatch namespace",
    operations: {
      "PUT /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
        "workersForPlatforms.dispatch.namespaces.scripts.secrets.update",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets":
        "workersForPlatforms.dispatch.namespaces.scripts.secrets.list",
      "GET /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
        "workersForPlatforms.dispatch.namespaces.scripts.secrets.get",
      "DELETE /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets/:secret_name":
        "workersForPlatforms.dispatch.namespaces.scripts.secrets.delete",
      "PATCH /accounts/:account_id/workers/dispatch/namespaces/:dispatch_namespace/scripts/:script_name/secrets-bulk":
        "workersForPlatforms.dispatch.namespaces.scripts.secrets.bulkUpdate",
    },
    differs: "`secret_text` only.",
  },
  "durable-objects": {
    title: "Durable Object namespaces",
    operations: {
      "GET /accounts/:account_id/workers/durable_objects/namespaces": "durableObjects.namespaces.list",
    },
    differs: "Made by a script's migrations, gone with the script; single objects are not listed.",
  },
  containers: {
    title: "Container applications",
    operations: {
      "POST /accounts/:account_id/containers/applications": "containers.applications.create",
      "GET /accounts/:account_id/containers/applications": "containers.applications.list",
      "GET /accounts/:account_id/containers/applications/:id": "containers.applications.get",
      "PATCH /accounts/:account_id/containers/applications/:id": "containers.applications.edit",
      "DELETE /accounts/:account_id/containers/applications/:id": "containers.applications.delete",
      "POST /accounts/:account_id/containers/applications/:id/rollouts": "containers.applications.rollouts.create",
      "GET /accounts/:account_id/containers/applications/:id/rollouts": "-",
      "GET /accounts/:account_id/containers/applications/:id/rollouts/:rollout_id": "-",
    },
    differs:
      "Only for a Durable Object namespace. A rollout is complete at once, and ends the container with its disk. Images are names; " +
      "nothing is pulled. One with the policy `durable_object` has no image, and so starts nothing.",
  },
  "kv-namespaces": {
    title: "KV namespaces",
    operations: {
      "POST /accounts/:account_id/storage/kv/namespaces": "kv.namespaces.create",
      "GET /accounts/:account_id/storage/kv/namespaces": "kv.namespaces.list",
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.get",
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.update",
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id": "kv.namespaces.delete",
    },
  },
  "kv-entries": {
    title: "KV keys and values",
    operations: {
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/keys": "kv.namespaces.keys.list",
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.get",
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.update",
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/values/:key": "kv.namespaces.values.delete",
      "GET /accounts/:account_id/storage/kv/namespaces/:namespace_id/metadata/:key": "kv.namespaces.metadata.get",
      "PUT /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": "kv.namespaces.bulkUpdate",
      "POST /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk/delete": "kv.namespaces.bulkDelete",
      "DELETE /accounts/:account_id/storage/kv/namespaces/:namespace_id/bulk": "-",
    },
    differs: "Written at once and seen at once: no eventual consistency.",
  },
  "r2-buckets": {
    title: "R2 buckets",
    operations: {
      "POST /accounts/:account_id/r2/buckets": "r2.buckets.create",
      "GET /accounts/:account_id/r2/buckets": "r2.buckets.list",
      "GET /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.get",
      "PATCH /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.edit",
      "DELETE /accounts/:account_id/r2/buckets/:bucket_name": "r2.buckets.delete",
      "PUT /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": "r2.buckets.lifecycle.update",
      "GET /accounts/:account_id/r2/buckets/:bucket_name/lifecycle": "r2.buckets.lifecycle.get",
      "GET /accounts/:account_id/r2/buckets/:bucket_name/objects": "r2.buckets.objects.list",
      "DELETE /accounts/:account_id/r2/buckets/:bucket_name/objects/:key{.+}": "r2.buckets.objects.delete",
    },
    differs:
      "One jurisdiction. Lifecycle rules are kept and not applied. Objects are listed and deleted, not read or written.",
  },
  queues: {
    title: "Queues",
    operations: {
      "POST /accounts/:account_id/queues": "queues.create",
      "GET /accounts/:account_id/queues": "queues.list",
      "GET /accounts/:account_id/queues/:queue_id": "queues.get",
      "PUT /accounts/:account_id/queues/:queue_id": "queues.update",
      "PATCH /accounts/:account_id/queues/:queue_id": "queues.edit",
      "DELETE /accounts/:account_id/queues/:queue_id": "queues.delete",
    },
    differs: "Messages are sent and received by Workers only.",
  },
  "queue-consumers": {
    title: "Queue consumers",
    operations: {
      "POST /accounts/:account_id/queues/:queue_id/consumers": "queues.consumers.create",
      "GET /accounts/:account_id/queues/:queue_id/consumers": "queues.consumers.list",
      "GET /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.get",
      "PUT /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.update",
      "DELETE /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.delete",
    },
    differs: "An `http_pull` consumer is kept, but nothing can be pulled.",
  },
  hyperdrive: {
    title: "Hyperdrive configurations",
    operations: {
      "POST /accounts/:account_id/hyperdrive/configs": "hyperdrive.configs.create",
      "GET /accounts/:account_id/hyperdrive/configs": "hyperdrive.configs.list",
      "GET /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.get",
      "PUT /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.update",
      "PATCH /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.edit",
      "DELETE /accounts/:account_id/hyperdrive/configs/:id": "hyperdrive.configs.delete",
    },
    differs:
      "Origins by host and port only. The database is not tried when a configuration is made; nothing is cached.",
  },
  "access-applications": {
    title: "Access applications",
    operations: {
      "POST /accounts/:account_id/access/apps": "zeroTrust.access.applications.create",
      "GET /accounts/:account_id/access/apps": "zeroTrust.access.applications.list",
      "GET /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.get",
      "PUT /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.update",
      "DELETE /accounts/:account_id/access/apps/:id": "zeroTrust.access.applications.delete",
    },
    differs: "`self_hosted` only, at the account level.",
  },
  "access-policies": {
    title: "Access policies (reusable)",
    operations: {
      "POST /accounts/:account_id/access/policies": "zeroTrust.access.policies.create",
      "GET /accounts/:account_id/access/policies": "zeroTrust.access.policies.list",
      "GET /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.get",
      "PUT /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.update",
      "DELETE /accounts/:account_id/access/policies/:id": "zeroTrust.access.policies.delete",
    },
  },
  "access-groups": {
    title: "Access groups",
    operations: {
      "POST /accounts/:account_id/access/groups": "zeroTrust.access.groups.create",
      "GET /accounts/:account_id/access/groups": "zeroTrust.access.groups.list",
      "GET /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.get",
      "PUT /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.update",
      "DELETE /accounts/:account_id/access/groups/:id": "zeroTrust.access.groups.delete",
    },
  },
  lists: {
    title: "Zero Trust lists",
    operations: {
      "POST /accounts/:account_id/gateway/lists": "zeroTrust.gateway.lists.create",
      "GET /accounts/:account_id/gateway/lists": "zeroTrust.gateway.lists.list",
      "GET /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.get",
      "PUT /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.update",
      "PATCH /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.edit",
      "DELETE /accounts/:account_id/gateway/lists/:id": "zeroTrust.gateway.lists.delete",
      "GET /accounts/:account_id/gateway/lists/:id/items": "zeroTrust.gateway.lists.items.list",
    },
    differs: "Values are checked in EMAIL lists only.",
  },
  "ai-gateways": {
    title: "AI gateways",
    operations: {
      "POST /accounts/:account_id/ai-gateway/gateways": "aiGateway.create",
      "GET /accounts/:account_id/ai-gateway/gateways": "aiGateway.list",
      "GET /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.get",
      "PUT /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.update",
      "DELETE /accounts/:account_id/ai-gateway/gateways/:id": "aiGateway.delete",
    },
    differs:
      "At most 20, as in a paid account; the code of that refusal is ours. Logs, datasets, evaluations and dynamic routes are not served.",
  },
} as const satisfies Record<string, KindCoverage>;

export type CoveredKind = keyof typeof coverage;

/** The handlers of a kind: exactly one for each operation the table declares. */
export type Handlers<K extends CoveredKind> = {
  readonly [Route in keyof (typeof coverage)[K]["operations"] & string]: Handler<Parameters<Route>>;
};
