import { BlockList, isIP } from "node:net";

/** Ranges that are not of the public internet (IANA's registries of special-purpose addresses). */
const SPECIAL: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Global unicast addresses of IPv6; all others are special. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");

const special = new BlockList();
for (const [network, prefix] of SPECIAL) special.addSubnet(network, prefix, "ipv4");
// Documentation, Teredo, ORCHID and 6to4, whose addresses contain others.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special.addSubnet(network, prefix, "ipv6");

/** Returns an address as IPv4 when it is an IPv6 address that contains one (`::ffff:1.2.3.4`). */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");

/** Whether an IP address belongs to the public internet. */
export function isPublic(given: string): boolean {
  const address = unmapped(given);
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && GLOBAL.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Whether an IP address is the container itself. */
export function isLoopback(given: string): boolean {
  const address = unmapped(given);
  return address === "::1" || address === "::" || /^(?:127|0)\./.test(address);
}
