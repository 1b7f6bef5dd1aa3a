import { type Clock, LATE_LIST_MS, readLate, systemClock } from "@tenantry/cloudflare-client/late-list";
import { retryAfterMs } from "@tenantry/cloudflare-client/retry-after";
import { UserError } from "@tenantry/plugin-host";
import { APIError } from "cloudflare/error";

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** Cloudflare's limit counts requests of five minutes; a longer pause would look like a hang. */
const LONGEST_PAUSE_MS = 60_000;

/** For a request that {@link createOnce} repeats. */
export const NO_RETRY = { maxRetries: 0 };

interface Options {
  /**
   * Whether the API refuses to create the object again, so that a repetition cannot create a second one. Default: false; then a request whose
   * answer may have been lost is repeated only when a late list would show its object.
   */
  isUnique?: boolean;
  /** Whether `find` reads by ids or names, which is current, instead of a list. Default: false. */
  isCurrent?: boolean;
  clock?: Clock;
}

/**
 * Sends a request that must not take effect twice. After each failure it reads back whether the request took effect, because the
 * answer may have been lost; a temporary failure is repeated. Lists may show an object late, so it re-reads before it decides that none exists.
 *
 * @param create sends the request with {@link NO_RETRY}
 * @param find returns the result if the request took effect, recognized by a mark that no other stack uses
 * @throws what the last request threw, or a UserError of `find`
 */
export async function createOnce<T>(
  create: () => Promise<T>,
  find: () => Promise<T | undefined>,
  { isUnique = false, isCurrent = false, clock = systemClock }: Options = {},
): Promise<T> {
  let wasLost = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      const isRepeated = isTemporary(error) && attempt < ATTEMPTS;
      wasLost ||= mayBeLost(error);
      const mayExist = isRepeated ? mayBeLost(error) && !isUnique : wasLost || saysExists(error);
      const until = clock.now() + (mayExist && !isCurrent ? LATE_LIST_MS : 0);
      const found = await readLate(() => find().catch(undefinedIfFailed), until, clock);
      if (found !== undefined) return found;
      if (!isRepeated) throw error;
      await clock.sleep(pauseMs(error, attempt));
    }
  }
}

/** The request's own failure is reported, unless the read found a foreign object. */
function undefinedIfFailed(error: unknown): undefined {
  if (error instanceof UserError) throw error;
}

/** Whether no answer came, or one that asks to retry. */
const isTemporary = ({ status }: APIError): boolean =>
  status === undefined || status === 408 || status === 429 || status >= 500;

/** Whether the request may have taken effect: a rate limit refuses it before. */
const mayBeLost = (error: APIError): boolean => isTemporary(error) && error.status !== 429;

/** Whether the API refuses because the object exists. Not every product uses the status 409, such as `DURABLE_OBJECT_ALREADY_HAS_APPLICATION`. */
const saysExists = ({ status, message }: APIError): boolean => status === 409 || /already/i.test(message);

function pauseMs({ headers }: APIError, attempt: number): number {
  return Math.min(retryAfterMs(headers) ?? FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
}
