import type {
  AccessApplicationRecord,
  AccessGroupRecord,
  AccessPolicyRecord,
  AccessServiceTokenRecord,
} from "../cloudflare/kinds/access/records.ts";
import type { AiGatewayRecord } from "../cloudflare/kinds/ai-gateways/record.ts";
import type { ContainerApplicationRecord } from "../cloudflare/kinds/containers/record.ts";
import type { SchedulesRecord } from "../cloudflare/kinds/cron-triggers/record.ts";
import type { DispatchNamespaceRecord } from "../cloudflare/kinds/dispatch-namespaces/record.ts";
import type { DnsRecord } from "../cloudflare/kinds/dns/record.ts";
import type { HealthcheckRecord } from "../cloudflare/kinds/healthchecks/record.ts";
import type { HyperdriveRecord } from "../cloudflare/kinds/hyperdrive/record.ts";
import type { KvNamespaceRecord } from "../cloudflare/kinds/kv/record.ts";
import type { ListRecord } from "../cloudflare/kinds/lists/record.ts";
import type { QueueConsumerRecord, QueueRecord } from "../cloudflare/kinds/queues/records.ts";
import type { BucketRecord } from "../cloudflare/kinds/r2/record.ts";
import type { EventNotificationsRecord } from "../cloudflare/kinds/r2-event-notifications/record.ts";
import type { RouteRecord } from "../cloudflare/kinds/routes/record.ts";
import type { ScriptRecord } from "../cloudflare/kinds/scripts/record.ts";
import type { ApiTokenRecord } from "../cloudflare/kinds/tokens/record.ts";

/** The record type of each kind. The fields have the API's names. */
export interface Records {
  access_group: AccessGroupRecord;
  access_policy: AccessPolicyRecord;
  access_application: AccessApplicationRecord;
  access_service_token: AccessServiceTokenRecord;
  ai_gateway: AiGatewayRecord;
  container_application: ContainerApplicationRecord;
  schedules: SchedulesRecord;
  dispatch_namespace: DispatchNamespaceRecord;
  dns_record: DnsRecord;
  healthcheck: HealthcheckRecord;
  hyperdrive: HyperdriveRecord;
  kv_namespace: KvNamespaceRecord;
  list: ListRecord;
  queue: QueueRecord;
  queue_consumer: QueueConsumerRecord;
  r2_event_notifications: EventNotificationsRecord;
  bucket: BucketRecord;
  route: RouteRecord;
  script: ScriptRecord;
  api_token: ApiTokenRecord;
}
export type RecordKind = keyof Records;
