/** Providers whose keys a tenant may bring, by their names at AI gateways. */

export const keyProviders = [
  "anthropic",
  "deepseek",
  "google-ai-studio",
  "grok",
  "groq",
  "mistral",
  "openai",
  "openrouter",
] as const;
export type KeyProvider = (typeof keyProviders)[number];

interface ProviderTerms {
  label: string;
  /** Base URL of the provider's API. */
  api: string;
  /** Path of a request that costs nothing and requires a valid key. */
  check: string;
  /** Header that carries the key. Default: `authorization`, as a bearer token. */
  header?: string;
  /** Further headers of that request. */
  headers?: Readonly<Record<string, string>>;
  /** What the body of a refusal with status 400 says of an invalid key. Default: the provider refuses one with 401. */
  invalid?: RegExp;
  /** A key that may not list models is refused with 403, and valid. */
  canBeRestricted?: true;
}

export const KEY_PROVIDERS: Readonly<Record<KeyProvider, ProviderTerms>> = {
  anthropic: {
    label: "Anthropic",
    api: "https://api.anthropic.com",
    check: "/v1/models?limit=1",
    header: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
  },
  deepseek: { label: "DeepSeek", api: "https://api.deepseek.com", check: "/models" },
  "google-ai-studio": {
    label: "Google AI Studio",
    api: "https://generativelanguage.googleapis.com",
    check: "/v1beta/models?pageSize=1",
    header: "x-goog-api-key",
    // https://ai.google.dev/gemini-api/docs/troubleshooting
    invalid: /API_KEY_INVALID/,
  },
  // https://docs.x.ai/docs/key-information/debugging: an incorrect key has the status 400.
  grok: { label: "xAI", api: "https://api.x.ai", check: "/v1/models", invalid: /incorrect api key/i },
  groq: { label: "Groq", api: "https://api.groq.com/openai", check: "/v1/models" },
  mistral: { label: "Mistral", api: "https://api.mistral.ai", check: "/v1/models" },
  // https://help.openai.com/en/articles/8867743-assign-api-key-permissions
  openai: { label: "OpenAI", api: "https://api.openai.com", check: "/v1/models", canBeRestricted: true },
  // Its list of models is public.
  openrouter: { label: "OpenRouter", api: "https://openrouter.ai/api", check: "/v1/key" },
};

export const isKeyProvider = (name: string): name is KeyProvider => Object.hasOwn(KEY_PROVIDERS, name);

export const MAX_PROVIDER_KEY_LENGTH = 512;
/** No key of these providers has another character, so that each is valid in a header and unchanged in JSON. */
export const PROVIDER_KEY = new RegExp(`^[A-Za-z0-9._-]{16,${MAX_PROVIDER_KEY_LENGTH}}$`);
export const PROVIDER_KEY_FAULT = `must be a key as the provider shows it: 16 to ${MAX_PROVIDER_KEY_LENGTH} letters, digits, dots, dashes and underscores`;

/** Number of a key's last characters that are shown. */
export const KEY_HINT_LENGTH = 4;

/** Returns the headers that carry a key. */
export function keyHeaders(provider: KeyProvider, key: string): Record<string, string> {
  const { header } = KEY_PROVIDERS[provider];
  return header === undefined ? { authorization: `Bearer ${key}` } : { [header]: key };
}

export const providerKeyStates = [
  "pushing",
  "push_failed",
  "active",
  "rejected",
  "quota_exceeded",
  "rate_limited",
] as const;
export type ProviderKeyState = (typeof providerKeyStates)[number];

/** Faults that the provider reports of a key. */
export const providerFaults = ["rejected", "quota_exceeded", "rate_limited"] as const;
export type ProviderFault = (typeof providerFaults)[number];

/** Faults that are stored; each is a state. */
export const providerKeyFaults = ["push_failed", ...providerFaults] as const;
export type ProviderKeyFault = (typeof providerKeyFaults)[number];

/** Returns a key's state. */
export function providerKeyState(row: {
  fault: ProviderKeyFault | null;
  pushed_at: Date | string | null;
}): ProviderKeyState {
  if (row.fault !== null) return row.fault;
  return row.pushed_at === null ? "pushing" : "active";
}

/** What states mean for people. */
export const PROVIDER_KEY_STATES: Readonly<Record<ProviderKeyState, readonly [text: string, title: string]>> = {
  pushing: ["sending", "The tenant does not have the key yet"],
  push_failed: ["not sent", "The key could not be sent to the tenant"],
  active: ["active", "The tenant uses the key"],
  rejected: ["rejected", "The provider rejected the key in the last call"],
  quota_exceeded: ["no quota", "The provider's account has no credit, or is beyond its budget"],
  rate_limited: ["rate limited", "The provider limited the last call"],
};
