import * as z from "zod";

/** Base64 of 24 to 64 bytes, with the prefix (github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: "Signature scheme"). */
const STANDARD_SECRET = /^(whsec_)?[A-Za-z0-9+/]{32,86}={0,2}$/;

/** Printable ASCII: it is compared with a header's value. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

export const sharedSecret = z.string().min(1).max(512);
export const headerToken = z
  .string()
  .min(1)
  .max(512)
  .regex(HEADER_VALUE, "The token must have printable ASCII characters without spaces.");
export const standardSecret = z
  .string()
  .regex(STANDARD_SECRET, "The secret must be `whsec_` and base64 of 24 to 64 bytes.")
  .refine(isBase64, "The secret must be `whsec_` and base64 of 24 to 64 bytes.");
export const headerName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9-]+$/, "The header's name must have letters, digits and hyphens.")
  .toLowerCase();

function isBase64(secret: string): boolean {
  const body = secret.replace(/^whsec_/, "");
  return body.length % 4 === 0;
}
