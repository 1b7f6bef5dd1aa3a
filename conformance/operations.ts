/** Operations of Cloudflare's API that the project calls, and by what. */
import type { Operation } from "./case.ts";

const account = "/accounts/:account_id" as const;
const zone = "/zones/:zone_id" as const;
const access = `${account}/access` as const;
const buckets = `${account}/r2/buckets` as const;
const script = `${account}/workers/scripts/:script_name` as const;
const namespaces = `${account}/workers/dispatch/namespaces` as const;
const tenant = `${namespaces}/:dispatch_namespace/scripts/:script_name` as const;
const applications = `${account}/containers/applications` as const;
const gateways = `${account}/ai-gateway/gateways` as const;
const consumer = `${account}/queues/:queue_id/consumers/:consumer_id` as const;

const life = (
  list: `/${string}`,
  item: `/${string}`,
  update: "PUT" | "PATCH" | "none" = "PUT",
): readonly Operation[] => [
  `POST ${list}`,
  `GET ${item}`,
  ...(update === "none" ? [] : [`${update} ${item}` as const]),
  `DELETE ${item}`,
];

/**
 * Operations of the vendor's provider by resource and function of the stack: `Create`, `Read`, `Update`, `Delete` of
 * `internal/services/NAME/resource.go` and data sources in cloudflare/terraform-provider-cloudflare 5.22.
 */
export const vendorOperations: Readonly<Record<string, readonly Operation[]>> = {
  "cloudflare:index/accountToken:AccountToken": life(`${account}/tokens`, `${account}/tokens/:token_id`),
  "cloudflare:index/aiGateway:AiGateway": life(gateways, `${gateways}/:id`),
  "cloudflare:index/dnsRecord:DnsRecord": life(`${zone}/dns_records`, `${zone}/dns_records/:id`),
  "cloudflare:index/healthcheck:Healthcheck": life(`${zone}/healthchecks`, `${zone}/healthchecks/:id`),
  "cloudflare:index/hyperdriveConfig:HyperdriveConfig": life(
    `${account}/hyperdrive/configs`,
    `${account}/hyperdrive/configs/:id`,
  ),
  "cloudflare:index/queue:Queue": life(`${account}/queues`, `${account}/queues/:queue_id`),
  "cloudflare:index/queueConsumer:QueueConsumer": life(`${account}/queues/:queue_id/consumers`, consumer),
  "cloudflare:index/r2Bucket:R2Bucket": life(buckets, `${buckets}/:bucket_name`, "PATCH"),
  "cloudflare:index/r2BucketLifecycle:R2BucketLifecycle": [
    `PUT ${buckets}/:bucket_name/lifecycle`,
    `GET ${buckets}/:bucket_name/lifecycle`,
  ],
  "cloudflare:index/workersCronTrigger:WorkersCronTrigger": [`PUT ${script}/schedules`, `GET ${script}/schedules`],
  "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace": life(
    namespaces,
    `${namespaces}/:dispatch_namespace`,
    "none",
  ),
  "cloudflare:index/workersKvNamespace:WorkersKvNamespace": life(
    `${account}/storage/kv/namespaces`,
    `${account}/storage/kv/namespaces/:namespace_id`,
  ),
  "cloudflare:index/workersRoute:WorkersRoute": life(`${zone}/workers/routes`, `${zone}/workers/routes/:id`),
  "cloudflare:index/workersScript:WorkersScript": [
    `PUT ${script}`,
    `GET ${script}`,
    `GET ${account}/workers/services/:service_name`,
    `GET ${script}/settings`,
    `GET ${script}/content/v2`,
    `DELETE ${script}`,
    `POST ${script}/assets-upload-session`,
    `POST ${account}/workers/assets/upload`,
  ],
  "cloudflare:index/zeroTrustAccessApplication:ZeroTrustAccessApplication": life(
    `${access}/apps`,
    `${access}/apps/:id`,
  ),
  "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup": life(`${access}/groups`, `${access}/groups/:id`),
  "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy": life(`${access}/policies`, `${access}/policies/:id`),
  "cloudflare:index/getAccountApiTokenPermissionGroupsList:getAccountApiTokenPermissionGroupsList": [
    `GET ${account}/tokens/permission_groups`,
  ],
  "cloudflare:index/getR2Bucket:getR2Bucket": [`GET ${buckets}/:bucket_name`],
  "cloudflare:index/getWorkersScripts:getWorkersScripts": [`GET ${account}/workers/scripts`],
};

/** Operations of the project's own code, by the folder that calls them. */
export const ownOperations: Readonly<Record<string, readonly Operation[]>> = {
  "stack/provider": [
    `PUT ${script}`,
    `GET ${account}/workers/scripts`,
    `PUT ${tenant}`,
    `GET ${tenant}`,
    `GET ${tenant}/settings`,
    `PATCH ${tenant}/settings`,
    `GET ${tenant}/content`,
    `DELETE ${tenant}`,
    `GET ${namespaces}`,
    `GET ${account}/workers/durable_objects/namespaces`,
    `POST ${applications}`,
    `GET ${applications}`,
    `GET ${applications}/:id`,
    `PATCH ${applications}/:id`,
    `DELETE ${applications}/:id`,
    `POST ${applications}/:id/rollouts`,
    `GET ${applications}/:id/rollouts`,
    `GET ${applications}/:id/rollouts/:rollout_id`,
    `POST ${access}/groups`,
    `GET ${access}/groups`,
    `GET ${access}/groups/:id`,
    `PUT ${access}/groups/:id`,
    `DELETE ${access}/groups/:id`,
  ],
  automation: [
    `GET ${access}/groups`,
    `PUT ${access}/groups/:id`,
    `GET ${access}/service_tokens`,
    `GET ${access}/service_tokens/:id`,
    `DELETE ${access}/service_tokens/:id`,
    `GET ${access}/apps`,
    `DELETE ${access}/apps/:id`,
    `GET ${access}/policies`,
    `DELETE ${access}/policies/:id`,
    `GET ${account}/tokens`,
    `DELETE ${account}/tokens/:token_id`,
    `GET ${gateways}`,
    `DELETE ${gateways}/:id`,
    `GET ${zone}/dns_records`,
    `DELETE ${zone}/dns_records/:id`,
    `GET ${applications}`,
    "GET /zones",
    `GET ${tenant}`,
    `GET ${gateways}/:id`,
    `GET ${buckets}/:bucket_name`,
    `GET ${buckets}/:bucket_name/objects`,
    `DELETE ${buckets}/:bucket_name`,
  ],
  dashboard: [`POST ${access}/service_tokens`],
  fleet: [
    `GET ${access}/apps`,
    `GET ${access}/policies`,
    `GET ${access}/groups`,
    `GET ${account}/tokens`,
    `GET ${gateways}`,
    `GET ${buckets}`,
    `GET ${buckets}/:bucket_name/objects`,
    `GET ${applications}`,
    `GET ${namespaces}/:dispatch_namespace/scripts`,
    `GET ${tenant}/settings`,
    `GET ${account}/workers/durable_objects/namespaces`,
    `GET ${zone}/dns_records`,
    `POST ${account}/analytics_engine/sql`,
    `GET ${account}`,
    `GET ${account}/tokens/verify`,
    `GET ${zone}`,
    `GET ${zone}/ssl/certificate_packs`,
    `GET ${access}/organizations`,
    `GET ${access}/identity_providers`,
    `GET ${account}/containers/registries`,
    `POST ${account}/containers/registries/:domain/credentials`,
    `GET ${gateways}/:gateway_id/logs`,
    `POST ${access}/service_tokens`,
    `GET ${access}/service_tokens`,
    `DELETE ${access}/service_tokens/:id`,
    `POST ${access}/apps/:app_id/policies`,
    `DELETE ${access}/apps/:app_id/policies/:policy_id`,
  ],
  workers: [`GET ${gateways}`, `GET ${gateways}/:gateway_id/logs`, `POST ${account}/analytics_engine/sql`],
  conformance: [
    `GET ${access}/service_tokens/:id`,
    "GET /accounts",
    `GET ${account}`,
    `GET ${account}/tokens/verify`,
    "GET /user/tokens/verify",
    "GET /zones/:zone_id",
  ],
};

/** Returns each used operation with what calls it. */
export function usedOperations(): Map<Operation, string[]> {
  const used = new Map<Operation, string[]>();
  const add = (who: string, operations: readonly Operation[]) => {
    for (const operation of operations) used.set(operation, [...(used.get(operation) ?? []), who]);
  };
  for (const [type, operations] of Object.entries(vendorOperations)) add(type.split(":").at(-1) ?? type, operations);
  for (const [folder, operations] of Object.entries(ownOperations)) add(folder, operations);
  return used;
}
