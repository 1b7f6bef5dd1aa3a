/** Who answers calls: the real provider where the edge has a key of it, else the mock. */
import type { ApiTokens } from "../cloudflare/kinds/tokens/api-tokens.ts";
import type { Call } from "./call.ts";
import { mockAnswer } from "./mock/mock-provider.ts";
import { refusals } from "./refusal.ts";

export type ProviderName = "openai" | "anthropic";

/** A real provider. */
export interface ProviderAccount {
  /** Used where the client sends no key of its own. A secret. */
  key: string;
  /** Default: the vendor's own address. */
  baseUrl?: string;
}

export type ProviderAccounts = Readonly<Partial<Record<ProviderName, ProviderAccount>>>;

const BASES: Readonly<Record<ProviderName, string>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
};

/** The version of Anthropic's API that is asked for when the client names none. */
const ANTHROPIC_VERSION = "2023-06-01";

/** Not for the provider: of this connection, of the gateway, of who is before it. */
const NOT_PASSED =
  /^(cf-|x-edge-|x-forwarded-|x-real-ip$|host$|cookie$|connection$|keep-alive$|proxy-|te$|trailer$|transfer-encoding$|upgrade$|content-length$|accept-encoding$|expect$)/;

/** The edge's own accounts with providers, from the environment that it was started in. */
export function providerAccounts(environment: NodeJS.ProcessEnv): ProviderAccounts {
  const { OPENAI_API_KEY: openai, ANTHROPIC_API_KEY: anthropic } = environment;
  return { ...(openai && { openai: { key: openai } }), ...(anthropic && { anthropic: { key: anthropic } }) };
}

export function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(BASES, name);
}

export class Providers {
  readonly #accounts: ProviderAccounts;
  readonly #tokens: ApiTokens;

  constructor(accounts: ProviderAccounts, tokens: ApiTokens) {
    this.#accounts = accounts;
    this.#tokens = tokens;
  }

  /** @throws Refusal for an unknown provider, or one that cannot be reached */
  async ask(call: Call): Promise<Response> {
    const { provider } = call;
    if (!isProvider(provider)) throw refusals.invalidProvider();
    const account = this.#accounts[provider];
    if (account === undefined) return mockAnswer(call);
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

  #headers({ headers, provider, dialect }: Call, { key }: ProviderAccount): Headers {
    const passed = new Headers();
    for (const [name, value] of headers) if (!NOT_PASSED.test(name)) passed.append(name, value);
    for (const name of ["authorization", "x-api-key"]) {
      // Agents put their gateway's token where a provider's key belongs when they have none.
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
