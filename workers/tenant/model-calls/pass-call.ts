/** Passes a model call to the tenant's AI gateway, as the tenant's. Responses are streamed, and bodies where possible. */
import { modelCallErrors } from "#domain/errors/tenants/model-calls.ts";
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { readProvider } from "./body-provider.ts";
import { callHeaders } from "./call-headers.ts";
import { providerOf } from "./own-path.ts";
import { providerKeys, removePlaceholders, setKey } from "./provider-keys.ts";
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
 *   WebSocket (vendor: "WebSockets API"), whose messages set headers, 413 when the body is too large to read its model, and 502 when the
 *   AI gateway cannot be reached
 */
export async function passCall(request: Request, env: CallEnv): Promise<Response> {
  const url = new URL(request.url);
  const endpoint = providerOf(url, env);
  if (endpoint === undefined || !env.AI_GATEWAY_URL || !env.CF_AIG_AUTHORIZATION)
    return refusal(modelCallErrors.model_call_of_other_gateway);
  if (request.headers.has("upgrade")) return refusal(modelCallErrors.model_call_over_websocket);
  const headers = callHeaders(request.headers, env);
  let body: BodyInit | null = request.body;
  if (!removePlaceholders(headers)) {
    let provider: string | undefined = endpoint;
    if (endpoint === COMPATIBLE) {
      const read = await readProvider(request);
      if (read === undefined) return refusal(modelCallErrors.model_call_too_large);
      provider = read.provider;
      if (request.body !== null) body = read.body;
    }
    const key = provider === undefined ? undefined : keyOf(provider, env);
    if (key !== undefined) setKey(headers, key, endpoint);
  }
  try {
    return await fetch(`${env.AI_GATEWAY_URL}${url.pathname}${url.search}`, {
      method: request.method,
      headers,
      body,
      // The token must not be sent to another host.
      redirect: "manual",
      signal: request.signal,
    });
  } catch (error) {
    // A provider's key may be part of the URL.
    const message = String(error).replace(/\S+:\/\/\S+/g, "[address]");
    if (!request.signal.aborted) log("error", "ai-gateway.unreachable", { message });
    return refusal(modelCallErrors.ai_gateway_not_reachable);
  }
}

/** Returns the platform's key for a provider. Without one, the AI gateway uses a key that it stores. */
function keyOf(provider: string, env: CallEnv): string | undefined {
  const keys = providerKeys(env.PROVIDER_KEYS);
  if (Object.hasOwn(keys, provider)) return keys[provider];
  return provider === WORKERS_AI ? env.CF_AIG_AUTHORIZATION : undefined;
}
