import { z } from "zod";
import { type Provider, provider } from "../../../plugin-host/provider.ts";
import { cloudflareClient, cloudflareWording } from "../../../provider/cloudflare.ts";
import { accessApplication } from "../../cloudflare/kinds/access/plugin-application.ts";
import { accessGroup } from "../../cloudflare/kinds/access/plugin-group.ts";
import { accessPolicy } from "../../cloudflare/kinds/access/plugin-policy.ts";
import { aiGateway } from "../../cloudflare/kinds/ai-gateways/plugin.ts";
import { workersCronTrigger } from "../../cloudflare/kinds/cron-triggers/plugin.ts";
import { dispatchNamespace } from "../../cloudflare/kinds/dispatch-namespaces/plugin.ts";
import { dnsRecord } from "../../cloudflare/kinds/dns/plugin.ts";
import { hyperdriveConfig } from "../../cloudflare/kinds/hyperdrive/plugin.ts";
import { kvNamespace } from "../../cloudflare/kinds/kv/plugin.ts";
import { zeroTrustList } from "../../cloudflare/kinds/lists/plugin.ts";
import { queue } from "../../cloudflare/kinds/queues/plugin.ts";
import { queueConsumer } from "../../cloudflare/kinds/queues/plugin-consumer.ts";
import { r2Bucket } from "../../cloudflare/kinds/r2/plugin.ts";
import { getBucket } from "../../cloudflare/kinds/r2/plugin-get-bucket.ts";
import { r2BucketLifecycle } from "../../cloudflare/kinds/r2/plugin-lifecycle.ts";
import { workersRoute } from "../../cloudflare/kinds/routes/plugin.ts";
import { workersScript } from "../../cloudflare/kinds/scripts/plugin.ts";
import { accountToken } from "../../cloudflare/kinds/tokens/plugin.ts";
import { permissionGroups } from "../../cloudflare/kinds/tokens/plugin-permission-groups.ts";
import { Api } from "./api.ts";
import { type Kind, kindResource } from "./kind.ts";

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
