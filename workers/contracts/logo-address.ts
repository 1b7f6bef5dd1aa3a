import { LOGOS_PATH } from "#domain/access/access-addresses.ts";

/** Returns the hash in a logo's key: `partners/{partner}/{hash}/{upload}`. */
export const logoHash = (key: string): string => key.split("/")[2] ?? "";

/** Returns the public path of a partner's logo. It changes with the logo, so that responses are immutable. */
export const logoAddress = (partnerId: string, key: string): string =>
  `${LOGOS_PATH}/${partnerId}?hash=${logoHash(key)}`;
