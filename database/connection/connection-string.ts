import { databaseAddress } from "./address.ts";

/**
 * Returns the URL for node-postgres with the TLS modes of libpq. By default node-postgres would send passwords unencrypted if the
 * URL has no mode, and `require` would reject the private authorities of managed databases.
 * @throws Error for a malformed URL
 */
export function connectionString(url: string): string {
  const { sslmode } = databaseAddress(url);
  const parsed = new URL(url);
  parsed.searchParams.set("sslmode", sslmode);
  parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.toString();
}
