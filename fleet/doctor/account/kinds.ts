import type { AccountKind, ResourceKind } from "./account-resource.ts";
import { accessApplications } from "./kinds/access-application.ts";
import { accessGroups } from "./kinds/access-group.ts";
import { accessPolicies } from "./kinds/access-policy.ts";
import { aiGateways } from "./kinds/ai-gateway.ts";
import { apiTokens } from "./kinds/api-token.ts";
import { buckets } from "./kinds/bucket.ts";
import { containerApplications } from "./kinds/container-application.ts";
import { dnsRecords } from "./kinds/dns-record.ts";
import { scripts } from "./kinds/script.ts";

export const ACCOUNT_KINDS: Readonly<Record<ResourceKind, AccountKind>> = {
  dns_record: dnsRecords,
  container_application: containerApplications,
  script: scripts,
  access_application: accessApplications,
  access_policy: accessPolicies,
  access_group: accessGroups,
  api_token: apiTokens,
  ai_gateway: aiGateways,
  bucket: buckets,
};
