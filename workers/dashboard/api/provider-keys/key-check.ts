/** Asks a provider whether it accepts a key. The key is in no log and in no error. */
import { providerKeyErrors } from "#domain/errors/api/provider-keys.ts";
import { KEY_PROVIDERS, type KeyProvider, keyHeaders } from "#domain/provider-keys/providers.ts";
import { refusalOfKey } from "#domain/provider-keys/refusals.ts";
import { readBounded } from "#workers/shared/bounded-body.ts";
import { log } from "#workers/shared/log.ts";
import type { Settings } from "../../env.ts";
import { failure } from "../../http/failure.tsx";
import { secondsToWait } from "../../http/retry-after.ts";

const TIMEOUT_MS = 10_000;
/** Lists of models are long. */
const MAX_BYTES = 1024 * 1024;

/** Follows no redirect, which would pass the key on. @throws Failure unless the provider accepts the key */
export async function requireAcceptedKey(settings: Settings, provider: KeyProvider, key: string): Promise<void> {
  const { label, api, check, headers, canBeRestricted } = KEY_PROVIDERS[provider];
  const { response, body } = await ask(provider, `${settings.PROVIDER_APIS[provider] ?? api}${check}`, {
    accept: "application/json",
    ...headers,
    ...keyHeaders(provider, key),
  });
  const { status } = response;
  if (status < 300) return;
  const refused = refusalOfKey(provider, key, { status, body });
  // Accounts without credit can list models, and the tenant's calls show the provider's words.
  if (refused?.fault === "quota_exceeded" || (status === 403 && canBeRestricted)) return;
  if (status === 429) {
    const headers = { "retry-after": secondsToWait(response.headers) };
    throw failure(providerKeyErrors.provider_busy, { provider: label }, { headers });
  }
  if (refused) throw failure(providerKeyErrors.provider_key_rejected, { provider: label, reason: refused.message });
  log("warn", "provider-key.response-unknown", { provider, status });
  throw failure(providerKeyErrors.provider_response_unknown, { provider: label, status });
}

async function ask(
  provider: KeyProvider,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ response: Response; body: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers, redirect: "manual", signal });
    // Only the words of a refusal are of use.
    if (response.ok) await response.body?.cancel();
    const bytes = response.ok ? new Uint8Array() : await readBounded(response, MAX_BYTES, signal);
    return { response, body: new TextDecoder().decode(bytes) };
  } catch (error) {
    log("warn", "provider-key.provider-unreachable", {
      provider,
      name: error instanceof Error ? error.name : "unknown",
    });
    const { label } = KEY_PROVIDERS[provider];
    throw failure(providerKeyErrors.provider_no_response, { provider: label, seconds: TIMEOUT_MS / 1000 });
  }
}
