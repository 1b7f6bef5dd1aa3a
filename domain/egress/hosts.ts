/** Hosts as `URL` writes them, without trailing dots. */

/** Returns a host of a URL without trailing dots, which name the same host. */
export const hostOf = (hostname: string): string => hostname.toLowerCase().replace(/\.+$/, "");

/** Returns the domains above a host, the nearest first; none for an IP address. */
export function parentsOf(host: string): string[] {
  if (isIpAddress(host)) return [];
  const parents: string[] = [];
  for (let at = host.indexOf("."); at !== -1; at = host.indexOf(".", at + 1)) parents.push(host.slice(at + 1));
  return parents;
}

/** Whether a host, as `URL` writes it, is an IP address. `URL` rejects other names whose last label is a number. */
export const isIpAddress = (host: string): boolean => host.startsWith("[") || /\.\d+$/.test(host);

/** Returns a host that an entry matches. */
export const sampleOf = (host: string): string => host.replace(/^\*/, "any");
