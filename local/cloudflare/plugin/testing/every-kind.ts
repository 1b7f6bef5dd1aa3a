import { createHash } from "node:crypto";
import * as cloudflare from "@pulumi/cloudflare";
import * as pulumi from "@pulumi/pulumi";
import type { RecordKind } from "../../../account/records.ts";
import { account_id as accountId, domain, zone_id as zoneId } from "../../api/testing/api-server.ts";

/** The kinds of the API that the program makes one of. */
export const KINDS = [
  "access_application",
  "access_group",
  "access_policy",
  "ai_gateway",
  "api_token",
  "bucket",
  "dispatch_namespace",
  "dns_record",
  "hyperdrive",
  "kv_namespace",
  "list",
  "queue",
  "queue_consumer",
  "route",
  "schedules",
  "script",
] as const satisfies readonly RecordKind[];

/** What the program of every kind may be told to declare otherwise. */
export interface Variant {
  /** Changes one property of every kind that can be changed. Default: 1. */
  edition?: number;
  /** Name of the bucket; another replaces it. Default: `backups`. */
  bucket?: string;
}

const SCRIPT = "export default { fetch: () => new Response('hello') };";

/** Declares one resource of every kind of Cloudflare that the stand-in serves. */
export function everyKind({ edition = 1, bucket = "backups" }: Variant = {}) {
  return async () => {
    const content = `${SCRIPT} // ${edition}`;
    const namespace = new cloudflare.WorkersForPlatformsDispatchNamespace("tenants", { accountId, name: "tenants" });
    const index = new cloudflare.WorkersKvNamespace("index", { accountId, title: `index-${edition}` });
    const queue = new cloudflare.Queue("fanout", { accountId, queueName: `fanout-${edition}` });
    const hyperdrive = new cloudflare.HyperdriveConfig("db", {
      accountId,
      name: `db-${edition}`,
      caching: { disabled: true },
      origin: {
        scheme: "postgres",
        host: "db.example.com",
        port: 5432,
        database: "tenantry",
        user: "dashboard",
        password: pulumi.secret(`hyperdrive-secret-${edition}`),
      },
    });
    const script = new cloudflare.WorkersScript("dispatch", {
      accountId,
      scriptName: "dispatch",
      mainModule: "index.js",
      content,
      compatibilityDate: "2026-01-01",
      compatibilityFlags: ["nodejs_compat"],
      observability: { enabled: true },
      bindings: [
        { type: "dispatch_namespace", name: "DISPATCHER", namespace: namespace.namespaceName },
        { type: "kv_namespace", name: "TENANT_INDEX", namespaceId: index.id },
        { type: "queue", name: "FANOUT", queueName: queue.queueName },
        { type: "hyperdrive", name: "DB", id: hyperdrive.id },
        { type: "plain_text", name: "EDITION", text: String(edition) },
        { type: "secret_text", name: "TOKEN", text: pulumi.secret(`script-secret-${edition}`) },
      ],
    });
    new cloudflare.QueueConsumer("fanout", {
      accountId,
      queueId: queue.id,
      type: "worker",
      scriptName: script.scriptName,
      settings: { batchSize: 10 + edition, maxRetries: 1, maxWaitTimeMs: 1000 },
    });
    const trigger = { accountId, scriptName: script.scriptName, schedules: [{ cron: `*/${edition} * * * *` }] };
    new cloudflare.WorkersCronTrigger("minute", trigger);
    new cloudflare.DnsRecord("wildcard", {
      zoneId,
      name: `*.${domain}`,
      type: "AAAA",
      content: `100::${edition}`,
      ttl: 1,
      proxied: true,
    });
    new cloudflare.WorkersRoute("wildcard", {
      zoneId,
      pattern: `*.${domain}/v${edition}/*`,
      script: script.scriptName,
    });
    const backups = new cloudflare.R2Bucket("backups", {
      accountId,
      name: bucket,
      storageClass: edition === 1 ? "Standard" : "InfrequentAccess",
    });
    new cloudflare.R2BucketLifecycle("backups", {
      accountId,
      bucketName: backups.name,
      rules: [
        {
          id: "expire",
          enabled: true,
          conditions: { prefix: "backups/" },
          deleteObjectsTransition: { condition: { type: "Age", maxAge: 86_400 * edition } },
        },
      ],
    });
    const list = new cloudflare.ZeroTrustList("members", {
      accountId,
      name: `members-${edition}`,
      type: "EMAIL",
      items: [{ value: "zoe@example.com" }, { value: "ada@example.com" }],
    });
    const group = new cloudflare.ZeroTrustAccessGroup("members", {
      accountId,
      name: `members-${edition}`,
      includes: [{ emailList: { id: list.id } }],
    });
    const policy = new cloudflare.ZeroTrustAccessPolicy("members", {
      accountId,
      name: `members-${edition}`,
      decision: "allow",
      includes: [{ group: { id: group.id } }],
    });
    const application = new cloudflare.ZeroTrustAccessApplication("acme", {
      accountId,
      name: `acme-${edition}`,
      type: "self_hosted",
      domain: `acme.${domain}`,
      sessionDuration: `${23 + edition}h`,
      policies: [{ id: policy.id, precedence: 1 }],
    });
    const gateway = new cloudflare.AiGateway("pool-a", {
      accountId,
      aiGatewayId: "pool-a",
      authentication: true,
      collectLogs: true,
      cacheInvalidateOnUpdate: true,
      cacheTtl: edition,
      rateLimitingInterval: 0,
      rateLimitingLimit: 0,
      dlp: { enabled: true, action: "FLAG", profiles: ["financial"] },
    });
    const groups = await cloudflare.getAccountApiTokenPermissionGroupsList({
      accountId,
      name: encodeURIComponent("Workers R2 Storage Bucket Item Write"),
    });
    const token = new cloudflare.AccountToken("backups", {
      accountId,
      name: `backups-${edition}`,
      policies: [
        {
          effect: "allow",
          permissionGroups: groups.results.slice(0, 1).map(({ id }) => ({ id })),
          resources: `{ "com.cloudflare.edge.r2.bucket.${accountId}_default_backups": "*" }`,
        },
      ],
    });
    return {
      audience: application.aud,
      gateway: gateway.id,
      tokenHash: token.value.apply((value) => createHash("sha256").update(value).digest("hex")),
    };
  };
}
