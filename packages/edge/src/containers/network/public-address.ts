import { isPublicAddress } from "@tenantry/std/public-address";

/** Returns an address as IPv4 when it is an IPv6 address that contains one (`::ffff:1.2.3.4`). */
export const unmapped = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");

/** Whether an IP address belongs to the public internet. */
export const isPublic = (address: string): boolean => isPublicAddress(unmapped(address));

/** Whether an IP address is the container itself. */
export function isLoopback(given: string): boolean {
  const address = unmapped(given);
  return address === "::1" || address === "::" || /^(?:127|0)\./.test(address);
}
