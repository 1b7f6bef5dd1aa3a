/** Addresses and names that no agent may reach: those of a machine, a network or a cloud's metadata, and those for special use. */
import { isPublicAddress } from "@tenantry/std/public-address";
import { isIpAddress, parentsOf } from "./hosts.ts";

/**
 * Domains that resolve on a machine or in a network: RFC 6761, RFC 6762, RFC 8375, https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en
 * (`internal`), and /etc/hosts of Red Hat (`localdomain`).
 */
const LOCAL_DOMAINS: ReadonlySet<string> = new Set(["home.arpa", "internal", "local", "localdomain", "localhost"]);

/**
 * Whether a host is a private, local or reserved address or name. These are: IPv6 addresses that hold an IPv4 address (mapped, NAT64, 6to4, Teredo), and
 * names without a dot, which a network's search domain completes.
 * @param host as `URL` writes it, without trailing dots
 */
export function isPrivateHost(host: string): boolean {
  if (!isIpAddress(host))
    return !host.includes(".") || [host, ...parentsOf(host)].some((name) => LOCAL_DOMAINS.has(name));
  return !isPublicAddress(host.startsWith("[") ? host.slice(1, -1) : host);
}
