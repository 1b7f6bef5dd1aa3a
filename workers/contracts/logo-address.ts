/** Where a partner's logo is had, without a log-in: pages before one and mails show it. */
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";

/** A logo's hash, of its key in the bucket: `partners/{partner}/{hash}/{upload}`. */
export function logoHash(key: string): string {
  return key.split("/")[2] ?? "";
}

/** Path of a partner's logo at the dashboard, by its key in the bucket. Another logo has another, so that the answer never changes. */
export function logoAddress(partnerId: string, key: string): string {
  return `${LOGOS_PATH}/${partnerId}?hash=${logoHash(key)}`;
}
