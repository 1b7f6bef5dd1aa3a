/** The providers' keys that the platform has, and in which header each provider looks for its own. */
import * as z from "zod";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";

const keys = z.record(z.string(), z.string());

/** Where providers have their keys that do not take a bearer token. */
const HEADERS: Readonly<Record<string, string>> = {
  anthropic: "x-api-key",
  "azure-openai": "api-key",
  "google-ai-studio": "x-goog-api-key",
};
/** Where a caller may have a key of its own. */
const KEY_HEADERS = ["authorization", ...Object.values(HEADERS)];

/** @param binding `PROVIDER_KEYS`: a JSON object of keys by the providers' names. @throws Error when it is something else */
export function providerKeys(binding: string | undefined): Record<string, string> {
  return binding ? keys.parse(JSON.parse(binding)) : {};
}

/** Takes the image's placeholder away. @returns whether the caller sent a key of its own, which stays */
export function keepOwnKey(headers: Headers): boolean {
  for (const name of KEY_HEADERS) {
    const value = headers.get(name)?.replace(/^Bearer +/i, "");
    if (value?.trim() === "" || value === NO_PROVIDER_KEY) headers.delete(name);
  }
  return KEY_HEADERS.some((name) => headers.has(name));
}

/**
 * Puts a provider's key on.
 *
 * @param endpoint of the path: a provider, or `compat`, which takes any provider's key as a bearer token
 */
export function putKey(headers: Headers, key: string, endpoint: string): void {
  const name = HEADERS[endpoint];
  if (name === undefined) headers.set("authorization", `Bearer ${key}`);
  else headers.set(name, key);
}
