/** The platform's keys for model providers, and the headers that carry them. */
import * as z from "zod";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";

const keys = z.record(z.string(), z.string());

/** Headers of providers that do not use a bearer token. */
const HEADERS: Readonly<Record<string, string>> = {
  anthropic: "x-api-key",
  "azure-openai": "api-key",
  "google-ai-studio": "x-goog-api-key",
};
const KEY_HEADERS = ["authorization", ...Object.values(HEADERS)];

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
  const name = HEADERS[endpoint];
  if (name === undefined) headers.set("authorization", `Bearer ${key}`);
  else headers.set(name, key);
}
