/** The gateway's environment: what it is, and with which one it was started. */
import { METRICS_PATH } from "#workers/contracts/tenant/internal.ts";
import {
  AI_GATEWAY_HOST,
  AI_GATEWAY_URL_VARIABLE,
  METRICS_ENDPOINT_VARIABLE,
  METRICS_HOST,
} from "#workers/contracts/tenant/sandbox.ts";
import { hex } from "#workers/shared/hex.ts";
import type { TenantEnv } from "../../env.ts";
import { providerKeys } from "../../model-calls/provider-keys.ts";

const KEY = "gateway-environment";

/**
 * Environment variables of the gateway. What a program in the container reads its agent can carry away, so that of the AI gateway it
 * has the address alone, which leads to this Worker: token and providers' keys are put on there.
 */
export function gatewayEnvironment(env: TenantEnv): Record<string, string> {
  const all: Record<string, unknown> = {
    GATEWAY_TOKEN: env.GATEWAY_TOKEN,
    [AI_GATEWAY_URL_VARIABLE]: `http://${AI_GATEWAY_HOST}`,
    AI_GATEWAY_ID: env.AI_GATEWAY_ID,
    DEFAULT_MODEL: env.DEFAULT_MODEL,
    CF_ACCOUNT_ID: env.CF_ACCOUNT_ID,
    TENANT_SLUG: env.TENANT_SLUG,
    TENANT_ORIGIN: env.TENANT_ORIGIN,
    ENVIRONMENT: env.ENVIRONMENT,
    [METRICS_ENDPOINT_VARIABLE]: `http://${METRICS_HOST}${METRICS_PATH}`,
  };
  const isSet = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && entry[1] !== "";
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

/** What nobody may read in a log: the gateway's own secret, and those of the calls that it makes. */
export function gatewaySecrets({
  GATEWAY_TOKEN,
  AI_GATEWAY_API_KEY,
  CF_AIG_AUTHORIZATION,
  PROVIDER_KEYS,
}: TenantEnv): string[] {
  const keys = Object.values(providerKeys(PROVIDER_KEYS));
  return [GATEWAY_TOKEN, AI_GATEWAY_API_KEY, CF_AIG_AUTHORIZATION, ...keys].filter((secret) => secret);
}

/** Remembers with which environment the gateway was started, as a digest that tells nothing of it. */
export class EnvironmentMark {
  readonly #storage: DurableObjectStorage;
  readonly #digest: Promise<string>;
  #matches: boolean | undefined;

  /** @param environment holds secrets that cannot be guessed, so that its digest gives nothing away */
  constructor(storage: DurableObjectStorage, environment: Record<string, string>) {
    this.#storage = storage;
    this.#digest = digestOf(environment);
  }

  /** Whether the gateway that runs was started with another environment than this object has. */
  async isOutdated(): Promise<boolean> {
    if (this.#matches === undefined) {
      const started = await this.#storage.get<string>(KEY);
      this.#matches = started === undefined || started === (await this.#digest);
    }
    return !this.#matches;
  }

  /** Runs a start, and remembers that its gateway has this environment unless one was running before. */
  async starting<T extends { started: boolean }>(start: () => Promise<T>): Promise<T> {
    const before = await this.#storage.get<string>(KEY);
    // Written first: a start that nobody learns of has this environment as well.
    await this.#storage.put(KEY, await this.#digest);
    const answer = await start();
    if (answer.started) this.#matches = true;
    else if (before === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, before);
    return answer;
  }
}

async function digestOf(environment: Record<string, string>): Promise<string> {
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(entries))));
}
