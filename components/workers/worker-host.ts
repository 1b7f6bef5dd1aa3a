import { DnsRecord } from "@pulumi/cloudflare/dnsRecord.js";
import type * as pulumi from "@pulumi/pulumi";

/** The discard prefix (RFC 6666), for hosts that only Workers serve. */
const ORIGINLESS = "100::";

/**
 * Declares the DNS record of a host that only Workers serve.
 * @param hostname can start with the label `*`, but not with a partial wildcard such as `*-dev` (RFC 4592): outside production each
 *   host has its own record
 */
export function workerHost(
  name: string,
  { zoneId, hostname }: { zoneId: pulumi.Input<string>; hostname: pulumi.Input<string> },
  opts: pulumi.CustomResourceOptions,
): DnsRecord {
  const record = { zoneId, name: hostname, type: "AAAA", content: ORIGINLESS, ttl: 1, proxied: true };
  return new DnsRecord(name, record, opts);
}
