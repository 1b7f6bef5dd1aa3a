/**
 * Repeats reads whose connection was lost: Hyperdrive drops connections, and databases restart. A change is not repeated, because the database
 * may have committed it: its caller gets status 503 and repeats it with the same `Idempotency-Key`.
 */
import { isLost } from "./database-faults.ts";

/** Waits before the second attempt and later ones, in milliseconds. */
const WAITS_MS = [50, 400, 1_600];
/** A read that took longer is not repeated. */
const LONGEST_MS = 3_000;

const lost = new WeakSet<Request>();

/** Marks a request whose connection was lost. */
export function markLost(request: Request, error: unknown): void {
  if (isLost(error)) lost.add(request);
}

/** Serves a request; a read whose connection was lost is served again. */
export async function serveRepeatedly(request: Request, serve: () => Promise<Response> | Response): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return repeat(async () => {
    lost.delete(request);
    const response = await serve();
    return { result: response, isLost: isRead && lost.has(request) };
  });
}

/** Runs queries that change nothing, again when their connection was lost. @param read opens its own connection */
export async function readRepeatedly(read: () => Promise<void>): Promise<void> {
  const error = await repeat(async () => {
    const failed = await read().catch((error: unknown) => error);
    return { result: failed, isLost: isLost(failed) };
  });
  if (error !== undefined) throw error;
}

async function repeat<R>(attempt: () => Promise<{ result: R; isLost: boolean }>): Promise<R> {
  const began = Date.now();
  for (const wait of [...WAITS_MS, undefined]) {
    const { result, isLost } = await attempt();
    if (!isLost || wait === undefined || Date.now() - began > LONGEST_MS) return result;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
  throw new Error("No attempt was made.");
}
