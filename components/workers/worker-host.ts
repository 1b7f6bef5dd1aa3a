import { DnsRecord } from "@pulumi/cloudflare/dnsRecord.js";
import type * as pulumi from "@pulumi/pulumi";

/** The discard prefix (RFC 6666): an address for hosts that only Workers answer. */
const ORIGINLESS = "100::";

/**
 * The DNS record of a host that only Workers answer.
 *
 * @param hostname may begin with a whole label `*`; a part of a label is no wildcard in DNS (RFC 4592), so that outside production,
 *   whose hosts share the domain with others', each has a record of its own
 */
export function workerHost(
  name: string,
  { zoneId, hostname }: { zoneId: pulumi.Input<string>; hostname: pulumi.Input<string> },
  opts: pulumi.CustomResourceOptions,
): DnsRecord {
  const record = { zoneId, name: hostname, type: "AAAA", content: ORIGINLESS, ttl: 1, proxied: true };
  return new DnsRecord(name, record, opts);
}
