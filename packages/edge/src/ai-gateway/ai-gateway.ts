import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Store } from "../account/store.ts";
import { type GatewaySettings, gatewaySettings } from "../cloudflare/kinds/ai-gateways/settings.ts";
import { ApiTokens } from "../cloudflare/kinds/tokens/api-tokens.ts";
import { EdgeLimits } from "../limits/edge-limits.ts";
import { Cache } from "./cache.ts";
import { gatewayAddress, readCall } from "./call.ts";
import { Exchange } from "./exchange.ts";
import { RateLimits } from "./limits/rate-limits.ts";
import { isProvider, type ProviderAccounts, Providers } from "./providers.ts";
import { Refusal, refusals } from "./refusal.ts";
import type { GatewayState } from "./state.ts";

const RUN = "AI Gateway Run";

interface AiGatewayOptions {
  store: Store;
  accountId: string;
  state: GatewayState;
  /** Accounts of providers. Default: none; the mock responds. */
  accounts?: ProviderAccounts;
  /** Default: Cloudflare's. */
  limits?: EdgeLimits;
  log: Log;
  /** Milliseconds since the epoch. Default: the system clock */
  now?: () => number;
}

export type AiGateway = (request: Request) => Promise<Response>;

/**
 * Creates the AI gateways at `/ai-gateway/v1/{account}/{gateway}/{provider}/…`. They call a provider or the mock, with the settings that the API
 * has stored.
 */
export function createAiGateway(options: AiGatewayOptions): AiGateway {
  const { store, accountId, state, accounts = {}, limits = new EdgeLimits(), log, now = Date.now } = options;
  const tokens = new ApiTokens(store, accountId);
  const shared = { state, cache: new Cache(), rates: new RateLimits(), providers: new Providers(accounts, tokens) };
  const parts = { ...shared, mostCacheable: limits.valueOf("aiGatewayCacheableRequest"), now };
  store.onChange(({ kind, id, operation }) => {
    if (kind !== "ai_gateway") return;
    const settings = operation === "put" ? settingsOf(store, id) : undefined;
    if (settings?.cache_invalidate_on_update !== false) parts.cache.removeAll(id);
    if (operation === "delete") {
      parts.rates.forget(id);
      state.removeAll(id);
    }
  });

  async function handle(request: Request): Promise<Response> {
    const address = gatewayAddress(new URL(request.url));
    if (address === undefined) throw refusals.invalidProvider();
    const settings = address.account === accountId ? settingsOf(store, address.gateway) : undefined;
    if (settings === undefined) throw refusals.unknownGateway();
    if (settings.authentication === true && !tokens.permits(request.headers.get("cf-aig-authorization"), RUN, now())) {
      throw refusals.unauthorized();
    }
    if (address.provider !== "compat" && !isProvider(address.provider)) throw refusals.invalidProvider();
    const call = await readCall(request, address, limits.valueOf("requestBody"));
    const alias = request.headers.get("cf-aig-byok-alias");
    if (alias !== null) throw refusals.noStoredKey(alias);
    // configuration/bring-your-own-keys, "Prevent Unified Billing fallback"
    const needsCredentials = settings.byok_only === true || request.headers.get("cf-aig-no-wholesale") === "true";
    if (needsCredentials && !parts.providers.hasCredentials(call)) throw refusals.noCredentials();
    return new Exchange({ ...parts, gateway: address.gateway, settings, call }).respond();
  }

  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      if (error instanceof Refusal) return error.response();
      log("ai-gateway", "fault", { message: String(error) });
      return refusals.faulty().response();
    }
  };
}

function settingsOf(store: Store, id: string): GatewaySettings | undefined {
  const record = store.get("ai_gateway", id);
  return record === undefined ? undefined : gatewaySettings.parse(z.looseObject({}).parse(record));
}
