/** Access of a case to the API: the `cloudflare` package, and plain requests. */
import Cloudflare from "cloudflare";

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

/** @param apiUrl such as `https://api.cloudflare.com/client/v4` */
export function openClient(apiUrl: string, apiToken: string, signal: AbortSignal): Client {
  const base = apiUrl.replace(/\/+$/, "");
  const calls = new Set<string>();
  const recorded: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const method = init?.method ?? (input instanceof Request ? input.method : "GET");
    calls.add(`${method.toUpperCase()} ${new URL(url).pathname.slice(new URL(base).pathname.length)}`);
    const signals = [signal, ...(init?.signal ? [init.signal] : [])];
    return fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  // Retries would hide that a second create is refused after a lost answer.
  const sdk = new Cloudflare({ apiToken, apiKey: null, apiEmail: null, baseURL: base, fetch: recorded, maxRetries: 0 });
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
