import { databaseAddress } from "./address.ts";

/**
 * A PostgreSQL URL for node-postgres, with TLS as libpq understands it: demanded unless the URL says otherwise or the host is
 * loopback, and with `require` not verified. Left alone, node-postgres would send passwords in the clear where the URL is
 * silent, and would refuse the private authorities of managed databases.
 *
 * @throws Error with one sentence when it is no such URL
 */
export function connectionString(url: string): string {
  const { sslmode } = databaseAddress(url);
  const parsed = new URL(url);
  parsed.searchParams.set("sslmode", sslmode);
  parsed.searchParams.set("uselibpqcompat", "true");
  return parsed.toString();
}
