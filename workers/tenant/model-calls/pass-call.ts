/** Passes a call of a model on to the tenant's AI gateway, as the tenant's whatever it says of itself. Answers stream, and bodies that need not be read. */
import { log } from "#workers/shared/log.ts";
import type { TenantEnv } from "../env.ts";
import { askedProvider } from "./asked-provider.ts";
import { callHeaders } from "./call-headers.ts";
import { providerOf } from "./own-path.ts";
import { keepOwnKey, providerKeys, putKey } from "./provider-keys.ts";
import { refusal } from "./refusal.ts";

/** The endpoint that takes models of every provider. */
const COMPATIBLE = "compat";
/** The vendor's own models, whose key is a token of the account. */
const VENDORS_OWN = "workers-ai";

/** Bindings that a call needs. */
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
 * @returns the AI gateway's answer as it comes; in the same envelope 404 for all but the tenant's own AI gateway, 400 for a WebSocket
 *   (vendor: "WebSockets API"), whose messages bring headers of their own, 413 for a body that is too large to be read for its model, and 502 when the AI gateway cannot be reached
 */
export async function passCall(request: Request, env: CallEnv): Promise<Response> {
  const url = new URL(request.url);
  const endpoint = providerOf(url, env);
  if (endpoint === undefined || !env.AI_GATEWAY_URL || !env.CF_AIG_AUTHORIZATION)
    return refusal(404, "This path is not of this tenant's AI gateway.");
  if (request.headers.has("upgrade"))
    return refusal(400, "WebSockets of the AI gateway are not served here; use its HTTP endpoints.");
  const headers = callHeaders(request.headers, env);
  let body: BodyInit | null = request.body;
  if (!keepOwnKey(headers)) {
    let provider: string | undefined = endpoint;
    if (endpoint === COMPATIBLE) {
      const asked = await askedProvider(request);
      if (asked === undefined) return refusal(413, "A call of this endpoint may have 32 MiB; use its provider's path.");
      provider = asked.provider;
      if (request.body !== null) body = asked.body;
    }
    const key = provider === undefined ? undefined : keyOf(provider, env);
    if (key !== undefined) putKey(headers, key, endpoint);
  }
  try {
    return await fetch(`${env.AI_GATEWAY_URL}${url.pathname}${url.search}`, {
      method: request.method,
      headers,
      body,
      // Elsewhere nobody may see the token.
      redirect: "manual",
      signal: request.signal,
    });
  } catch (error) {
    // A provider's key may be part of the address.
    const message = String(error).replace(/\S+:\/\/\S+/g, "[address]");
    if (!request.signal.aborted) log("error", "ai-gateway.unreachable", { message });
    return refusal(502, "The AI gateway cannot be reached; try again.");
  }
}

/** What the platform has of a provider's; without one, one that is stored with the AI gateway counts. */
function keyOf(provider: string, env: CallEnv): string | undefined {
  const keys = providerKeys(env.PROVIDER_KEYS);
  if (Object.hasOwn(keys, provider)) return keys[provider];
  return provider === VENDORS_OWN ? env.CF_AIG_AUTHORIZATION : undefined;
}
