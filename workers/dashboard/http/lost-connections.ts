/**
 * Repeats requests whose connection to the database was lost: Hyperdrive drops connections, and databases restart. A transaction whose commit
 * was not sent is rolled back, so a change can be repeated, too. After a lost commit its outcome is unknown.
 */
import { isLost } from "./database-faults.ts";

/** Waits before the second attempt and later ones, in milliseconds. */
const WAITS_MS = [50, 400, 1_600];
/** A request that took longer is not repeated. */
const LONGEST_MS = 3_000;

const repeatable = new WeakSet<Request>();

/** Marks a request that failed with `error`. @param mayHaveEffect as of its connection */
export function markLost(request: Request, error: unknown, mayHaveEffect: boolean): void {
  if (isLost(error) && !mayHaveEffect) repeatable.add(request);
}

/** Serves a request; one that was marked as lost is served again. */
export function serveRepeatedly(
  request: Request,
  serve: (request: Request) => Promise<Response> | Response,
): Promise<Response> {
  return repeat(async (isLast) => {
    // A body can be read once.
    const sent = isLast || request.body === null ? request : request.clone();
    repeatable.delete(sent);
    const response = await serve(sent);
    return { result: response, repeats: repeatable.has(sent) };
  });
}

/** Runs queries that change nothing, again when their connection was lost. @param read opens its own connection */
export async function readRepeatedly(read: () => Promise<void>): Promise<void> {
  const error = await repeat(async () => {
    const failed = await read().catch((error: unknown) => error);
    return { result: failed, repeats: isLost(failed) };
  });
  if (error !== undefined) throw error;
}

async function repeat<R>(attempt: (isLast: boolean) => Promise<{ result: R; repeats: boolean }>): Promise<R> {
  const began = Date.now();
  for (const wait of WAITS_MS) {
    const { result, repeats } = await attempt(false);
    if (!repeats || Date.now() - began > LONGEST_MS) return result;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return (await attempt(true)).result;
}
