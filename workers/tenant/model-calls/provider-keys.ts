/** The platform's keys for model providers, and the headers that carry them. */
import * as z from "zod";
import { isKeyProvider, KEY_PROVIDERS } from "#domain/provider-keys/providers.ts";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";

const keys = z.record(z.string(), z.string());

/** Headers of further providers that do not use a bearer token. */
const OTHER_HEADERS: Readonly<Record<string, string>> = { "azure-openai": "api-key" };
const OWN_HEADERS = Object.values(KEY_PROVIDERS).flatMap(({ header }) => header ?? []);
const KEY_HEADERS = ["authorization", ...OWN_HEADERS, ...Object.values(OTHER_HEADERS)];

function headerOf(endpoint: string): string | undefined {
  return isKeyProvider(endpoint) ? KEY_PROVIDERS[endpoint].header : OTHER_HEADERS[endpoint];
}

/** Parses `PROVIDER_KEYS`: a JSON object of keys by provider. @throws Error when it is malformed */
export function providerKeys(binding: string | undefined): Record<string, string> {
  return binding ? keys.parse(JSON.parse(binding)) : {};
}

/** Removes the image's placeholder keys. @returns whether the caller sent a key of its own */
export function removePlaceholders(headers: Headers): boolean {
  for (const name of KEY_HEADERS) {
    const value = headers.get(name)?.replace(/^Bearer +/i, "");
    if (value?.trim() === "" || value === NO_PROVIDER_KEY) headers.delete(name);
  }
  return KEY_HEADERS.some((name) => headers.has(name));
}

/** Sets a provider's key. @param endpoint a provider, or `compat`, which accepts any provider's key as a bearer token */
export function setKey(headers: Headers, key: string, endpoint: string): void {
  const name = headerOf(endpoint.toLowerCase());
  if (name === undefined) headers.set("authorization", `Bearer ${key}`);
  else headers.set(name, key);
}

/** Sets the tenant's own key, in place of every key of the caller. */
export function setOwnKey(headers: Headers, key: string, endpoint: string): void {
  for (const name of KEY_HEADERS) headers.delete(name);
  setKey(headers, key, endpoint);
}
