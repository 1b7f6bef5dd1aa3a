/** Ids of invoices, made from what they are about. */
import { createHash } from "node:crypto";

/**
 * A UUID of version 8 (RFC 9562), which holds a hash.
 *
 * @param periodStart `YYYY-MM-DD`
 * @param voided how many invoices of the client and the month were voided before
 */
export function invoiceId(clientId: string, periodStart: string, voided: number): string {
  const hash = createHash("sha256").update(`invoice/${clientId}/${periodStart}/${voided}`).digest("hex");
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
