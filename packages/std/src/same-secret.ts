import { createHash, timingSafeEqual } from "node:crypto";

const digestOf = (text: string) => createHash("sha256").update(text).digest();

/** Compares secrets in constant time, also for different lengths. */
export function equalSecrets(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}
