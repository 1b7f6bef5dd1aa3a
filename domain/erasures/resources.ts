/** A tenant's resources at Cloudflare, by the names that identify them: what an erasure checks, and what its certificate lists. */
import { HEALTH_PATH } from "../access/access-addresses.ts";
import { MEMBERS_POLICY, memberGroupName, SERVICES_POLICY } from "../access/member-group.ts";
import type { Environment } from "../environment.ts";
import { tenantNames } from "../names/deployed-names.ts";
import { tenantHostname } from "../names/hostnames.ts";
import { tenantScriptName } from "../names/physical-name.ts";

/** Each kind in words. */
export const RESOURCE_KINDS = {
  worker: "Worker",
  container_application: "Container application",
  dns_record: "DNS record",
  access_application: "Access application",
  access_policy: "Access policy",
  access_group: "Access group",
  service_tokens: "Access service tokens of the host",
  api_token: "API token",
  ai_gateway: "AI gateway",
  bucket: "Bucket of backups",
} as const;
export const resourceKinds = Object.keys(RESOURCE_KINDS) as [ResourceKind, ...ResourceKind[]];
export type ResourceKind = keyof typeof RESOURCE_KINDS;

export interface TenantResource {
  kind: ResourceKind;
  name: string;
}

interface Tenant {
  slug: string;
  environment: Environment;
  /** Null without an AI gateway of its own. */
  own_ai_gateway: string | null;
  /** Null without a bucket of its own. */
  bucket_objects: number | null;
}

/** Returns every resource that the tenant may have had, also those that only some tenants have. */
export function tenantResources(tenant: Tenant, domain: string): TenantResource[] {
  const { slug, environment, own_ai_gateway, bucket_objects } = tenant;
  const names = tenantNames(slug, environment);
  const host = tenantHostname(slug, environment, domain);
  const application = names.accessApplication;
  const all: Record<ResourceKind, readonly string[]> = {
    worker: [tenantScriptName(slug, environment)],
    container_application: [names.containerApplication],
    // Tenants of production share the platform's wildcard record.
    dns_record: environment === "production" ? [] : [host],
    // In staging one application protects all tenants.
    ...(environment === "staging"
      ? { access_application: [], access_policy: [], access_group: [] }
      : {
          access_application: [application, `${application}: ${HEALTH_PATH}`],
          access_policy: [MEMBERS_POLICY, SERVICES_POLICY].map((end) => `${application}: ${end}`),
          access_group: [memberGroupName(host)],
        }),
    service_tokens: [host],
    api_token: [names.aiGatewayToken, names.secondAiGatewayToken, names.backupToken, names.secondBackupToken],
    ai_gateway: own_ai_gateway === null ? [] : [own_ai_gateway],
    bucket: bucket_objects === null ? [] : [names.backupBucket],
  };
  return resourceKinds.flatMap((kind) => all[kind].map((name) => ({ kind, name })));
}
