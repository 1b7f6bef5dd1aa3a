/**
 * What stands in for Cloudflare AI Gateway, at `/ai-gateway/v1/{account}/{gateway}/{provider}/…`: it asks a provider, or the mock,
 * and does what the gateway's settings say before and after. Like the rest of what stands in for Cloudflare it sees only what
 * the API was sent.
 */

import type { Log } from "@tenantry/std/log";
import * as z from "zod";
import type { Store } from "../account/store.ts";
import { type GatewaySettings, gatewaySettings } from "../cloudflare/kinds/ai-gateways/settings.ts";
import { ApiTokens } from "../cloudflare/kinds/tokens/api-tokens.ts";
import { gatewayAddress } from "./address.ts";
import { Cache } from "./cache.ts";
import { readCall } from "./call.ts";
import { Exchange } from "./exchange.ts";
import { RateLimits } from "./limits/rate-limits.ts";
import { isProvider, type ProviderAccounts, Providers } from "./providers.ts";
import { Refusal, refusals } from "./refusal.ts";
import type { GatewayState } from "./state.ts";

/** Permission group of a token that may run AI gateways. */
const RUN = "AI Gateway Run";

export interface AiGatewayOptions {
  store: Store;
  accountId: string;
  state: GatewayState;
  /** Providers that are asked in earnest. Default: none, the mock answers for all. */
  accounts?: ProviderAccounts;
  log: Log;
  /** Milliseconds since the epoch. Default: the clock. */
  now?: () => number;
}

export type AiGateway = (request: Request) => Promise<Response>;

export function createAiGateway({
  store,
  accountId,
  state,
  accounts = {},
  log,
  now = Date.now,
}: AiGatewayOptions): AiGateway {
  const tokens = new ApiTokens(store, accountId);
  const parts = { state, cache: new Cache(), rates: new RateLimits(), providers: new Providers(accounts, tokens), now };
  store.onChange(({ kind, id, operation }) => {
    if (kind !== "ai_gateway") return;
    const settings = operation === "put" ? settingsOf(store, id) : undefined;
    if (settings?.cache_invalidate_on_update !== false) parts.cache.forget(id);
    if (operation === "delete") {
      parts.rates.forget(id);
      state.forget(id);
    }
  });

  async function answer(request: Request): Promise<Response> {
    const address = gatewayAddress(new URL(request.url));
    if (address === undefined) throw refusals.invalidProvider();
    const settings = address.account === accountId ? settingsOf(store, address.gateway) : undefined;
    if (settings === undefined) throw refusals.unknownGateway();
    if (settings.authentication === true && !tokens.permits(request.headers.get("cf-aig-authorization"), RUN, now())) {
      throw refusals.unauthorized();
    }
    if (address.provider !== "compat" && !isProvider(address.provider)) throw refusals.invalidProvider();
    const call = await readCall(request, address);
    return new Exchange(address.gateway, settings, call, parts).answer();
  }

  return async (request) => {
    try {
      return await answer(request);
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
