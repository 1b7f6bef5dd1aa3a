import type { ApiTokens } from "../cloudflare/kinds/tokens/api-tokens.ts";
import type { Call } from "./call.ts";
import { mockResponse } from "./mock/mock.ts";
import { refusals } from "./refusal.ts";

type ProviderName = "openai" | "anthropic";

interface ProviderAccount {
  /** Used when the client sends no key. A secret. */
  key: string;
  /** Default: that of the provider. */
  baseUrl?: string;
}

export type ProviderAccounts = Readonly<Partial<Record<ProviderName, ProviderAccount>>>;

const BASES: Readonly<Record<ProviderName, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
};

const KEY_HEADERS = ["authorization", "x-api-key"];

/** Default version of Anthropic's API. */
const ANTHROPIC_VERSION = "2023-06-01";

const EXCLUDED =
  /^(cf-|x-edge-|x-forwarded-|x-real-ip$|host$|cookie$|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade$|content-length$|accept-encoding$|expect$)/;

export function providerAccounts(environment: NodeJS.ProcessEnv): ProviderAccounts {
  const { OPENAI_API_KEY: openai, ANTHROPIC_API_KEY: anthropic } = environment;
  return { ...(openai && { openai: { key: openai } }), ...(anthropic && { anthropic: { key: anthropic } }) };
}

export function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(BASES, name);
}

/** Calls a provider when the edge has an account, else the mock. */
export class Providers {
  readonly #accounts: ProviderAccounts;
  readonly #tokens: ApiTokens;

  constructor(accounts: ProviderAccounts, tokens: ApiTokens) {
    this.#accounts = accounts;
    this.#tokens = tokens;
  }

  /** @throws Refusal for a provider that is unknown or unreachable */
  async call(call: Call): Promise<Response> {
    const { provider } = call;
    if (!isProvider(provider)) throw refusals.invalidProvider();
    const account = this.#accounts[provider];
    if (account === undefined) return mockResponse(call);
    try {
      return await fetch(`${account.baseUrl ?? BASES[provider]}${call.endpoint}${call.query}`, {
        method: call.method,
        headers: this.#headers(call, account),
        redirect: "manual",
        signal: call.signal,
        ...(call.body.length > 0 && { body: call.body }),
      });
    } catch {
      throw refusals.unreachable();
    }
  }

  /** Whether a call has a provider's key, of its client or of the edge. */
  hasCredentials({ provider, headers }: Pick<Call, "provider" | "headers">): boolean {
    const isKey = (name: string) => headers.has(name) && !this.#tokens.isOurs(headers.get(name) ?? "");
    return KEY_HEADERS.some(isKey) || (isProvider(provider) && this.#accounts[provider] !== undefined);
  }

  #headers({ headers, provider, dialect }: Call, { key }: ProviderAccount): Headers {
    const passed = new Headers();
    for (const [name, value] of headers) if (!EXCLUDED.test(name)) passed.append(name, value);
    for (const name of KEY_HEADERS) {
      // Agents without a provider's key send the token of the gateway instead.
      if (this.#tokens.isOurs(passed.get(name) ?? "")) passed.delete(name);
    }
    if (!passed.has("authorization") && !passed.has("x-api-key")) {
      if (dialect === "anthropic") passed.set("x-api-key", key);
      else passed.set("authorization", `Bearer ${key}`);
    }
    if (provider === "anthropic" && !passed.has("anthropic-version")) {
      passed.set("anthropic-version", ANTHROPIC_VERSION);
    }
    return passed;
  }
}
