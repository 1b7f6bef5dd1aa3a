/** Sends a request, and sends it again when that is safe. */
import { addressOf } from "./address.ts";
import { ApiError, errorOf, NoResponseError } from "./errors.ts";

export { addressOf } from "./address.ts";
export { ApiError, NoResponseError } from "./errors.ts";

export interface Connection {
  /** Address of the API, without a slash at its end. */
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Transport {
  /** @param refused a connection whose login the API has refused */
  readonly connect: (refused?: Connection) => Connection | Promise<Connection>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is sent at most. Default: 4. */
  readonly attempts?: number | undefined;
  /** For each attempt, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

export interface RequestOptions {
  /** Sent as `If-Match`: the API refuses to change any other version, with the code `precondition_failed`. */
  readonly version?: number | undefined;
  /** The API carries out requests with the same key once. Default: a random key, for operations that have one. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Sent extends RequestOptions {
  readonly method: string;
  /** Path with its parameters in braces: `/client/{client_id}`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON, except for a `Blob`, which states its own type. */
  readonly body?: unknown;
}

const ATTEMPTS = 4;
const TIMEOUT_MS = 60_000;
const FIRST_DELAY_MS = 500;
/** A longer wait is left to the caller. */
const MAX_DELAY_MS = 60_000;
const TOO_MANY = 429;
const UNAVAILABLE = 503;
const UNAUTHORIZED = 401;

/**
 * Returns the successful response to a request.
 *
 * @throws ApiError when the API refuses the request
 * @throws NoResponseError when there is no response, or none of the API
 */
export async function request(transport: Transport, sent: Sent): Promise<Response> {
  const { attempts = ATTEMPTS } = transport;
  let connection = await transport.connect();
  let isRenewed = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await sendOnce(transport, connection, sent).catch(failureOf);
    if (!(outcome instanceof Error) && outcome.ok) return outcome;
    const error = outcome instanceof Error ? outcome : await errorOf(outcome);
    if (error instanceof ApiError && error.status === UNAUTHORIZED && !isRenewed) {
      isRenewed = true;
      const renewed = await transport.connect(connection);
      if (renewed === connection) throw error;
      connection = renewed;
      continue;
    }
    const delay = attempt < attempts ? delayAfter(error, sent, attempt) : undefined;
    if (delay === undefined) throw error;
    await wait(delay, sent.signal);
  }
}

/** Returns the JSON of a response; undefined without a body, and the response itself for another type. */
export async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (!/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) return response;
  return response.json().catch((cause: unknown) => {
    throw new NoResponseError("The response ended early.", { cause });
  });
}

async function sendOnce(transport: Transport, connection: Connection, sent: Sent): Promise<Response> {
  const { method, path, params, query, body, version, idempotencyKey, signal } = sent;
  const { timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch } = transport;
  const headers = new Headers({ accept: "application/json", ...connection.headers });
  const isBlob = body instanceof Blob;
  if (isBlob ? body.type !== "" : body !== undefined) {
    headers.set("content-type", isBlob ? body.type : "application/json");
  }
  if (version !== undefined) headers.set("if-match", `"${version}"`);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  const timeout = AbortSignal.timeout(timeoutMs);
  const url = addressOf(connection.baseUrl, path, params, query);
  try {
    return await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: isBlob ? body : JSON.stringify(body) }),
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new NoResponseError(`No response within ${timeoutMs} ms.`, { cause, isTimeout: true });
    throw new NoResponseError("The API is not reachable.", { cause });
  }
}

function failureOf(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}

/** Returns the milliseconds to wait before a request is sent again; undefined when it must not be. */
function delayAfter(error: Error, { method, version, idempotencyKey }: Sent, attempt: number): number | undefined {
  const isRepeatable = method !== "POST" || idempotencyKey !== undefined;
  const backoff = FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  if (error instanceof NoResponseError) {
    // After a change that was lost, its version is another one.
    return isRepeatable && version === undefined && !error.isTimeout ? backoff : undefined;
  }
  if (!(error instanceof ApiError)) return undefined;
  const { status, retryAfter } = error;
  if (status !== TOO_MANY && !(status === UNAVAILABLE && isRepeatable)) return undefined;
  const delay = retryAfter === undefined ? backoff : retryAfter * 1_000;
  return delay <= MAX_DELAY_MS ? delay : undefined;
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
