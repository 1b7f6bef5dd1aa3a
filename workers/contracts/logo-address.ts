import { LOGOS_PATH } from "#domain/access/access-addresses.ts";

/** Returns the hash in a logo's key: `partners/{partner}/{hash}/{upload}`. */
export function logoHash(key: string): string {
  return key.split("/")[2] ?? "";
}

/** Returns the public path of a partner's logo. It changes with the logo, so that responses are immutable. */
export function logoAddress(partnerId: string, key: string): string {
  return `${LOGOS_PATH}/${partnerId}?hash=${logoHash(key)}`;
}
