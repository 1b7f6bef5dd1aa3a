import type { Stamped } from "#account/records.ts";

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

declare module "../../../account/records.ts" {
  interface Records {
    dns_record: DnsRecord;
  }
}
