/** Passes a model call to the tenant's AI gateway, as the tenant's. Responses are streamed, and bodies where possible. */
import { PERSON, personOf } from "#domain/ai-gateways/gateway-tenant.ts";
import { modelCallErrors } from "#domain/errors/tenants/model-calls.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { readProvider } from "./body-provider.ts";
import { callHeaders, setOwnPayer, setPerson } from "./call-headers.ts";
import type { ModelCallTerms, OwnKeys } from "./own-keys/key-cache.ts";
import { responseWithoutKey } from "./own-keys/key-response.ts";
import { providerOf } from "./own-path.ts";
import { providerKeys, removePlaceholders, setKey, setOwnKey } from "./provider-keys.ts";
import { refusal } from "./refusal.ts";

/** The endpoint for models of every provider. */
const COMPATIBLE = "compat";
/** The vendor's own models, whose key is a token of the account. */
const WORKERS_AI = "workers-ai";

export type CallEnv = Pick<
  TenantEnv,
  | "AI_GATEWAY_URL"
  | "AI_GATEWAY_ID"
  | "AI_GATEWAY_TENANT"
  | "BILLING_PLAN"
  | "CF_ACCOUNT_ID"
  | "CF_AIG_AUTHORIZATION"
  | "ENVIRONMENT"
  | "PROVIDER_KEYS"
  | "TENANT_SLUG"
>;

/**
 * @returns the AI gateway's response, or an error in the AI gateway's format: 404 for a path outside the tenant's AI gateway, 400 for a
 *   WebSocket (vendor: "WebSockets API"), whose messages set headers, 413 when the body is too large to read its model, 502 when the
 *   AI gateway cannot be reached, 429 when the client's cap of spending is reached, and 503 when the tenant's own keys cannot be read. The platform's key does not replace a tenant's own.
 */
export async function passCall(request: Request, env: CallEnv, keys: OwnKeys): Promise<Response> {
  const url = new URL(request.url);
  const endpoint = providerOf(url, env);
  if (endpoint === undefined || !env.AI_GATEWAY_URL || !env.CF_AIG_AUTHORIZATION)
    return refusal(modelCallErrors.model_call_of_other_gateway);
  if (request.headers.has("upgrade")) return refusal(modelCallErrors.model_call_over_websocket);
  const terms = await termsOf(keys);
  if (terms === undefined) return refusal(modelCallErrors.provider_keys_not_readable);
  const { keys: own, isCapReached } = terms;
  const headers = callHeaders(request.headers, env);
  const hasCallersKey = removePlaceholders(headers);
  let body: BodyInit | null = request.body;
  let provider: string | undefined = endpoint;
  if (endpoint === COMPATIBLE && (!hasCallersKey || own.length > 0)) {
    const read = await readProvider(request);
    if (read === undefined) return refusal(modelCallErrors.model_call_too_large);
    provider = read.provider;
    const person = personOf({ [PERSON]: read.user });
    if (person !== undefined) setPerson(headers, person);
    if (request.body !== null) body = read.body;
  }
  const ownKey = own.find((key) => key.provider === provider?.toLowerCase());
  // A call that the tenant pays its provider for does not count.
  if (isCapReached && ownKey === undefined) {
    return refusal(modelCallErrors.spending_cap_reached);
  }
  if (ownKey !== undefined) {
    setOwnKey(headers, ownKey.key, endpoint);
    setOwnPayer(headers);
    // Google's APIs take a key in the query, too.
    if (url.searchParams.has("key")) url.searchParams.delete("key");
  } else if (!hasCallersKey) {
    const key = provider === undefined ? undefined : keyOf(provider, env);
    if (key !== undefined) setKey(headers, key, endpoint);
  }
  try {
    const response = await fetch(`${env.AI_GATEWAY_URL}${url.pathname}${url.search}`, {
      method: request.method,
      headers,
      body,
      // The token must not be sent to another host.
      redirect: "manual",
      signal: request.signal,
    });
    if (ownKey === undefined) return response;
    return await responseWithoutKey(response, ownKey, (outcome) => keys.record(ownKey.id, outcome));
  } catch (error) {
    // A provider's key may be part of the URL.
    const message = String(error).replace(/\S+:\/\/\S+/g, "[address]");
    if (!request.signal.aborted) log("error", "ai-gateway.unreachable", { message });
    return refusal(modelCallErrors.ai_gateway_not_reachable);
  }
}

/** @returns `undefined` when the keys cannot be read: without them, the call would be charged to the platform */
async function termsOf(keys: OwnKeys): Promise<ModelCallTerms | undefined> {
  try {
    return await keys.terms();
  } catch (error) {
    log("error", "provider-keys.not-readable", { message: String(error) });
    return undefined;
  }
}

/** Returns the platform's key for a provider. Without one, the AI gateway uses a key that it stores. */
function keyOf(provider: string, env: CallEnv): string | undefined {
  const keys = providerKeys(env.PROVIDER_KEYS);
  if (Object.hasOwn(keys, provider)) return keys[provider];
  return provider === WORKERS_AI ? env.CF_AIG_AUTHORIZATION : undefined;
}
