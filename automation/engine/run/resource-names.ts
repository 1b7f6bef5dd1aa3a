/** Resources as people are told of them (pulumi: "URNs"). */

/** The name that the program gave the resource of a URN. */
export const nameOf = (urn: string): string => urn.split("::").at(-1) ?? urn;

/** `DnsRecord` of `cloudflare:index/dnsRecord:DnsRecord`. */
export const shortType = (type: string): string => type.split(":").at(-1) ?? type;
