/** Requests to Cloudflare's API that report each answer, also refusals. The SDK turns refusals into errors without a body or time. */
import { setTimeout as pause } from "node:timers/promises";
import { retryAfterMs } from "@tenantry/cloudflare-client/retry-after";
import * as z from "zod";

export const CLOUDFLARE_API = "https://api.cloudflare.com/client/v4";

const ANSWER_MS = 30_000;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
/** A local edge's answer to operations that it does not have. */
const UNSUPPORTED = 501;
const PER_PAGE = 50;
const MOST_PAGES = 200;

const envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
  result: z.unknown(),
  result_info: z
    .object({ total_count: z.number(), total_pages: z.number(), cursor: z.string(), next_page_token: z.string() })
    .partial()
    .nullish(),
});

export interface Answer {
  status: number;
  /** Media type. */
  type: string;
  /** The response's `Date`; NaN without one. */
  date: number;
  /** Undefined if the body is not the API's envelope. */
  envelope: z.infer<typeof envelope> | undefined;
  text: string;
}

/** Codes of a token that lacks a permission (developers.cloudflare.com/fundamentals/api/troubleshooting: "Authentication error"). */
const DENIED_CODES = new Set([10000, 9109, 10001]);

export const isSuccess = ({ status, envelope: body }: Answer): boolean =>
  status >= 200 && status < 300 && body?.success === true;

/** Whether the token lacks a permission. The API checks it before the plan and before the item. */
export const isDenied = ({ status, envelope: body }: Answer): boolean =>
  (status === 401 || status === 403) && body !== undefined && body.errors.some(({ code }) => DENIED_CODES.has(code));

/** Returns what the API answered, without the request. */
export function faultOf({ status, envelope: body, text, type }: Answer): string {
  const errors = body?.errors.map(({ code, message }) => `${message} (code ${code})`).join("; ");
  if (errors) return errors;
  return type === "text/plain" ? `HTTP ${status} ${text.trim().slice(0, 200)}` : `HTTP ${status}`;
}

export class CloudflareApi {
  readonly #base: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor(base: string, token: string, signal: AbortSignal) {
    this.#base = base.replace(/\/+$/, "");
    this.#token = token;
    this.#signal = signal;
  }

  get host(): string {
    return new URL(this.#base).host;
  }

  /** Repeats requests that a busy API refuses, as the SDK does. @param path below the API's base @throws Error of the network */
  async request(method: "GET" | "DELETE" | "POST", path: string, body?: object): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const usualMs = FIRST_WAIT_MS * 2 ** (attempt - 1);
      try {
        const { answer, waitMs = usualMs } = await this.#send(method, path, body);
        const isBusy = answer.status === 429 || answer.status >= 500;
        if (!isBusy || answer.status === UNSUPPORTED || attempt === ATTEMPTS) return answer;
        await pause(Math.min(waitMs, MOST_WAIT_MS), undefined, { signal: this.#signal });
      } catch (error) {
        this.#signal.throwIfAborted();
        if (attempt === ATTEMPTS) throw error;
        await pause(usualMs, undefined, { signal: this.#signal });
      }
    }
  }

  async #send(method: string, path: string, body?: object): Promise<{ answer: Answer; waitMs: number | undefined }> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      type: response.headers.get("content-type")?.split(";")[0] ?? "",
      date: Date.parse(response.headers.get("date") ?? ""),
      envelope: parseEnvelope(text),
      text,
    };
    return { answer, waitMs: retryAfterMs(response.headers) };
  }

  get(path: string): Promise<Answer> {
    return this.request("GET", path);
  }

  /** Lists all items. @returns the answer that is no success, instead of items @param key of the items in the result. Default: it is the list */
  async list(path: string, key?: string): Promise<{ items: unknown[] } | { refused: Answer }> {
    const items: unknown[] = [];
    let position: Record<string, string> = { page: "1" };
    let before = "";
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const answer = await this.get(`${path}?${new URLSearchParams({ per_page: String(PER_PAGE), ...position })}`);
      if (!isSuccess(answer)) return { refused: answer };
      const { result, result_info: info } = answer.envelope ?? {};
      const found = itemsOf(result, key);
      // Some lists are whole, whatever page is asked for.
      const text = JSON.stringify(found);
      if (found.length === 0 || text === before) break;
      before = text;
      items.push(...found);
      if (info?.cursor) position = { cursor: info.cursor };
      else if (info?.next_page_token) position = { page_token: info.next_page_token };
      else if (info?.total_pages === undefined ? found.length < PER_PAGE : page >= info.total_pages) break;
      else position = { page: String(page + 1) };
    }
    return { items };
  }
}

function itemsOf(result: unknown, key: string | undefined): unknown[] {
  const list = key === undefined ? result : z.record(z.string(), z.unknown()).parse(result)[key];
  return z.array(z.unknown()).parse(list ?? []);
}

function parseEnvelope(text: string): Answer["envelope"] {
  try {
    return envelope.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns why a request got no response, such as `ECONNREFUSED`. */
export function networkFault(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return "no response in time.";
  const code = (cause as { code?: string } | undefined)?.code;
  return `${code ?? (cause as Error | undefined)?.message ?? message}.`;
}
