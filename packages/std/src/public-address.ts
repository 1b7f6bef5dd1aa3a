/** Addresses of the public internet, unlike those of a machine, a network or a cloud's metadata, and those for special use. */

/**
 * IPv4 blocks that are not globally reachable (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast
 * (https://www.iana.org/assignments/multicast-addresses), and metadata services at public addresses.
 */
const IPV4_BLOCKS = [
  "0.0.0.0/8", // "This network", RFC 791
  "10.0.0.0/8", // Private use, RFC 1918
  "100.64.0.0/10", // Shared by carriers (CGNAT), RFC 6598; has Alibaba's metadata at 100.100.100.200
  "127.0.0.0/8", // Loopback, RFC 1122
  "168.63.129.16/32", // Azure's metadata, https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  "169.254.0.0/16", // Link-local, RFC 3927; has metadata at 169.254.169.254
  "172.16.0.0/12", // Private use, RFC 1918
  "192.0.0.0/24", // Protocol assignments, RFC 6890
  "192.0.2.0/24", // Documentation, RFC 5737
  "192.88.99.0/24", // 6to4 relays, RFC 7526
  "192.168.0.0/16", // Private use, RFC 1918
  "198.18.0.0/15", // Benchmarks, RFC 2544
  "198.51.100.0/24", // Documentation, RFC 5737
  "203.0.113.0/24", // Documentation, RFC 5737
  "224.0.0.0/4", // Multicast, RFC 5771
  "240.0.0.0/4", // Reserved, RFC 1112; has broadcast
] as const;

/** The only block of global unicast (https://www.iana.org/assignments/ipv6-address-space). */
const IPV6_GLOBAL = "2000::/3";

/** Blocks of it that are not globally reachable, or hold an IPv4 address (https://www.iana.org/assignments/iana-ipv6-special-registry). */
const IPV6_BLOCKS = [
  "2001::/23", // Protocol assignments, RFC 2928; has Teredo and ORCHID
  "2001:db8::/32", // Documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056
  "3fff::/20", // Documentation, RFC 9637
] as const;

interface Block {
  readonly bits: bigint;
  readonly shift: bigint;
}

const inBlock = (address: bigint, { bits, shift }: Block) => address >> shift === bits;

function block(cidr: string, parse: (address: string) => bigint, width: number): Block {
  const [address = "", length] = cidr.split("/");
  const shift = BigInt(width - Number(length));
  return { bits: parse(address) >> shift, shift };
}

const parseIpv4 = (address: string): bigint =>
  address.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);

/** @param address as `URL` writes it: groups in hex, without an IPv4 part */
function parseIpv6(address: string): bigint {
  const [head = "", tail = ""] = address.split("::");
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return [...before, ...zeros, ...after].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

const IPV4 = IPV4_BLOCKS.map((cidr) => block(cidr, parseIpv4, 32));
const IPV6 = IPV6_BLOCKS.map((cidr) => block(cidr, parseIpv6, 128));
const GLOBAL = block(IPV6_GLOBAL, parseIpv6, 128);

/**
 * Whether a text is an IP address of the public internet. IPv6 addresses that hold an IPv4 address (mapped, NAT64, 6to4, Teredo) are not.
 * @param text an IPv6 address has no brackets
 */
export function isPublicAddress(text: string): boolean {
  if (isIpv4(text)) {
    const address = parseIpv4(text);
    return !IPV4.some((blocked) => inBlock(address, blocked));
  }
  const url = /^[0-9a-f:.]+$/i.test(text) ? `http://[${text}]` : "";
  if (!URL.canParse(url)) return false;
  const address = parseIpv6(new URL(url).hostname.slice(1, -1));
  return inBlock(address, GLOBAL) && !IPV6.some((blocked) => inBlock(address, blocked));
}

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) <= 255);
