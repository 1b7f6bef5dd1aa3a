import { hideKey } from "#domain/provider-keys/redaction.ts";
import { refusalOfKey } from "#domain/provider-keys/refusals.ts";
import type { OwnProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import { BodyTooLarge, readBounded } from "#workers/shared/bounded-body.ts";
import { createKeyHider } from "./key-hider.ts";
import type { KeyOutcome } from "./stored-keys.ts";

/** A longer error of a provider is passed on without its body. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Returns the response to a call with a tenant's own key, without the key, and with the provider's status and words.
 *
 * @param record receives what the response says of the key
 */
export async function responseWithoutKey(
  response: Response,
  { provider, key }: OwnProviderKey,
  record: (outcome: KeyOutcome) => void,
): Promise<Response> {
  const { status, statusText } = response;
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, hideKey(value, key));
  // The body is read decoded.
  if (headers.has("content-encoding")) headers.delete("content-length");
  headers.delete("content-encoding");
  if (status < 400) {
    record(status < 300 ? null : undefined);
    const body = response.body?.pipeThrough(createKeyHider(key)) ?? null;
    return new Response(body, { status, statusText, headers });
  }
  const body = await errorBody(response);
  record(refusalOfKey(provider, key, { status, body }));
  headers.delete("content-length");
  return new Response(hideKey(body, key), { status, statusText, headers });
}

async function errorBody(response: Response): Promise<string> {
  try {
    return new TextDecoder().decode(await readBounded(response, MAX_ERROR_BYTES));
  } catch (error) {
    if (error instanceof BodyTooLarge) return "";
    throw error;
  }
}
