/** Secrets that the Worker adds to requests of the container, which never receives them. */
import type { EgressSecret } from "#workers/contracts/tenant/egress.ts";

/** Returns the secrets for a URL: those of its exact host, over HTTPS on its own port. */
export function secretsFor(url: URL, secrets: readonly EgressSecret[]): EgressSecret[] {
  if (url.protocol !== "https:" || url.port !== "") return [];
  return secrets.filter(({ host }) => host === url.hostname);
}

/** Sets the secrets, in place of the container's headers of their names. */
export function addSecrets(headers: Headers, secrets: readonly EgressSecret[]): void {
  for (const { header, prefix, value } of secrets) headers.set(header, prefix + value);
}
