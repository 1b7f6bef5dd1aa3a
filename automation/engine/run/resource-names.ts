/** Returns the name that the program gave a resource. */
export const nameOf = (urn: string): string => urn.split("::").at(-1) ?? urn;

/** `cloudflare:index/dnsRecord:DnsRecord` → `DnsRecord`. */
export const shortType = (type: string): string => type.split(":").at(-1) ?? type;
