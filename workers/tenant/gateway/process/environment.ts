/** The gateway's environment, and whether the running gateway was started with it. */
import { CHANNELS_VARIABLE, type Channel } from "#workers/contracts/tenant/channels.ts";
import { METRICS_PATH } from "#workers/contracts/tenant/internal.ts";
import {
  AI_GATEWAY_HOST,
  AI_GATEWAY_URL_VARIABLE,
  METRICS_ENDPOINT_VARIABLE,
  METRICS_HOST,
} from "#workers/contracts/tenant/sandbox.ts";
import { sha256Hex } from "#workers/shared/hex.ts";
import type { TenantEnv } from "../../env.ts";
import { providerKeys } from "../../model-calls/provider-keys.ts";

const KEY = "gateway-environment";

/**
 * Returns the gateway's environment variables. An agent can leak them, so the AI gateway's URL points to this Worker, which adds the token
 * and the providers' keys. The secrets of its channels are its own.
 */
export function gatewayEnvironment(env: TenantEnv, channels: readonly Channel[] = []): Record<string, string> {
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
    [CHANNELS_VARIABLE]: channels.length === 0 ? undefined : JSON.stringify(channels),
  };
  const isSet = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && entry[1] !== "";
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

/** Returns the secrets to remove from logs: the gateway's token and the keys of its model calls. */
export function gatewaySecrets(env: TenantEnv): string[] {
  const keys = Object.values(providerKeys(env.PROVIDER_KEYS));
  return [env.GATEWAY_TOKEN, env.AI_GATEWAY_API_KEY, env.CF_AIG_AUTHORIZATION, ...keys].filter((secret) => secret);
}

/** Stores a digest of the environment that the gateway was started with. */
export class EnvironmentMark {
  readonly #storage: DurableObjectStorage;
  readonly #environment: () => Record<string, string>;
  #matches: boolean | undefined;

  /** @param environment contains secrets that cannot be guessed, so its digest discloses nothing */
  constructor(storage: DurableObjectStorage, environment: () => Record<string, string>) {
    this.#storage = storage;
    this.#environment = environment;
  }

  /** Compares again, since the environment has changed. */
  recordChange(): void {
    this.#matches = undefined;
  }

  /** Whether the running gateway was started with another environment. */
  async isOutdated(): Promise<boolean> {
    if (this.#matches === undefined) {
      const started = await this.#storage.get<string>(KEY);
      this.#matches = started === undefined || started === (await digestOf(this.#environment()));
    }
    return !this.#matches;
  }

  /** Runs a start with the environment, and stores its digest unless a gateway was already running. */
  async markStart<T extends { started: boolean }>(
    start: (environment: Record<string, string>) => Promise<T>,
  ): Promise<T> {
    const before = await this.#storage.get<string>(KEY);
    const environment = this.#environment();
    // Stored first, so that it is correct if this object does not see the end of the start.
    await this.#storage.put(KEY, await digestOf(environment));
    const answer = await start(environment);
    // The environment may have changed during the start.
    if (answer.started) this.#matches = undefined;
    else if (before === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, before);
    return answer;
  }
}

async function digestOf(environment: Record<string, string>): Promise<string> {
  const entries = Object.entries(environment).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(entries));
}
