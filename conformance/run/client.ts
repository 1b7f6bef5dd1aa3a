/** Access of a case to the API: the `cloudflare` package, and plain requests. */
import Cloudflare from "cloudflare";
import type { Pace } from "./pace.ts";

const LIMITED = 429;
const REQUEST_MS = 60_000;
/** Of the SDK, which includes waits. */
const TIMEOUT_MS = 900_000;

export interface Answer {
  status: number;
  /** Parsed JSON, or text. */
  body: unknown;
  headers: Headers;
}

export interface Client {
  sdk: Cloudflare;
  /** Sends a request without a retry. @param path below the API's base, such as `/accounts/…` */
  request(
    method: string,
    path: string,
    init?: { body?: BodyInit; headers?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
  /** `METHOD /path` of each request that was sent. */
  readonly calls: ReadonlySet<string>;
}

interface Connection {
  /** Such as `https://api.cloudflare.com/client/v4`. */
  apiUrl: string;
  apiToken: string;
}

/** @param pace of all clients of the run */
export function openClient({ apiUrl, apiToken }: Connection, pace: Pace, signal: AbortSignal): Client {
  const base = apiUrl.replace(/\/+$/, "");
  const root = new URL(base).pathname;
  const calls = new Set<string>();
  const recorded: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    calls.add(`${(init?.method ?? "GET").toUpperCase()} ${new URL(url).pathname.slice(root.length)}`);
    for (;;) {
      await pace.turn(signal);
      // A cancelled run completes the request: a create whose answer is unknown could be carried out after the clean-up.
      signal.throwIfAborted();
      const limits = [AbortSignal.timeout(REQUEST_MS), ...(init?.signal ? [init.signal] : [])];
      const response = await fetch(input, { ...init, signal: AbortSignal.any(limits) });
      // The request was not carried out, so it is sent again.
      if (response.status !== LIMITED) return response;
      await pace.pause(response.headers, signal);
    }
  };
  // Retries would hide that a second create is refused after a lost answer.
  const sdk = new Cloudflare({
    apiToken,
    apiKey: null,
    apiEmail: null,
    baseURL: base,
    fetch: recorded,
    maxRetries: 0,
    timeout: TIMEOUT_MS,
  });
  return {
    sdk,
    calls,
    async request(method, path, { body, headers = {} } = {}) {
      const response = await recorded(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiToken}`, ...headers },
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      return { status: response.status, body: parsed(text), headers: response.headers };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
