import { setTimeout as delay } from "node:timers/promises";
import { retryAfterMs } from "@tenantry/cloudflare-client/retry-after";
import { APIError } from "cloudflare/error";

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** Cloudflare's limit counts requests of five minutes; a longer pause would look like a hang. */
const LONGEST_PAUSE_MS = 60_000;

/** For a request that {@link createOnce} repeats. */
export const NO_RETRY = { maxRetries: 0 };

/**
 * Sends a request that must not take effect twice. After each failure it reads back whether the request took effect, because the
 * answer may have been lost; a temporary failure is repeated.
 *
 * @param create sends the request with {@link NO_RETRY}
 * @param find returns the result if the request took effect, recognized by a mark that no other stack uses
 * @throws what the last request threw
 */
export async function createOnce<T>(create: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      const found = await find().catch(() => undefined);
      if (found !== undefined) return found;
      if (!isTemporary(error) || attempt === ATTEMPTS) throw error;
      await delay(pauseMs(error, attempt));
    }
  }
}

/** Whether no answer came, or one that asks to retry. */
const isTemporary = ({ status }: APIError): boolean =>
  status === undefined || status === 408 || status === 429 || status >= 500;

function pauseMs({ headers }: APIError, attempt: number): number {
  return Math.min(retryAfterMs(headers) ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
}
