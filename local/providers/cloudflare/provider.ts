import { z } from "zod";
import { type Provider, provider } from "../../../plugin-host/provider.ts";
import { cloudflareClient, cloudflareWording } from "../../../provider/cloudflare.ts";
import { Api } from "./api.ts";
import { getBucket } from "./get-bucket.ts";
import { type Kind, kindResource } from "./kind.ts";
import { accessApplication } from "./kinds/access-application.ts";
import { accessGroup } from "./kinds/access-group.ts";
import { accessPolicy } from "./kinds/access-policy.ts";
import { accountToken } from "./kinds/account-token.ts";
import { aiGateway } from "./kinds/ai-gateway.ts";
import { dispatchNamespace } from "./kinds/dispatch-namespace.ts";
import { dnsRecord } from "./kinds/dns-record.ts";
import { hyperdriveConfig } from "./kinds/hyperdrive-config.ts";
import { kvNamespace } from "./kinds/kv-namespace.ts";
import { queue } from "./kinds/queue.ts";
import { queueConsumer } from "./kinds/queue-consumer.ts";
import { r2Bucket } from "./kinds/r2-bucket.ts";
import { r2BucketLifecycle } from "./kinds/r2-bucket-lifecycle.ts";
import { workersCronTrigger } from "./kinds/workers-cron-trigger.ts";
import { workersRoute } from "./kinds/workers-route.ts";
import { zeroTrustList } from "./kinds/zero-trust-list.ts";
import { permissionGroups } from "./permission-groups.ts";
import { workersScript } from "./workers-script.ts";

const kinds: readonly Kind[] = [
  accessApplication,
  accessGroup,
  accessPolicy,
  accountToken,
  aiGateway,
  dispatchNamespace,
  dnsRecord,
  hyperdriveConfig,
  kvNamespace,
  queue,
  queueConsumer,
  r2Bucket,
  r2BucketLifecycle,
  workersCronTrigger,
  workersRoute,
  zeroTrustList,
];

/**
 * Stands in for the vendor's plugin `cloudflare`, for the kinds the platform deploys: same types, properties and ids.
 *
 * @param directory from where a relative `contentFile` counts
 */
export const cloudflare = (directory: string): Provider =>
  provider({
    name: "cloudflare",
    version: "6.22.1",
    config: z.object({ apiToken: z.string().optional(), baseUrl: z.string().optional() }),
    connect: (config, environment) => new Api(cloudflareClient(config, environment, "cloudflare")),
    resources: [...kinds.map(kindResource), workersScript(directory)],
    functions: {
      "cloudflare:index/getAccountApiTokenPermissionGroupsList:getAccountApiTokenPermissionGroupsList":
        permissionGroups,
      "cloudflare:index/getR2Bucket:getR2Bucket": getBucket,
    },
    wording: cloudflareWording,
  });
