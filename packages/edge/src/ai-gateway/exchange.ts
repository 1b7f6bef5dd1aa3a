/** One call from its limits to its log entry. */

import type { GatewaySettings } from "../cloudflare/kinds/ai-gateways/settings.ts";
import { asciiJson } from "../http/ascii-json.ts";
import type { Cache, CachedAnswer, CacheKey } from "./cache.ts";
import type { Call } from "./call.ts";
import { Dlp, type DlpReport, joined } from "./dlp/dlp.ts";
import { isEventStream } from "./events.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { costOf } from "./prices.ts";
import type { Providers } from "./providers.ts";
import { Refusal, refusals } from "./refusal.ts";
import type { GatewayState } from "./state.ts";
import { textsOf } from "./text.ts";
import { ulid } from "./ulid.ts";
import { type Usage, usageOf } from "./usage.ts";

export interface ExchangeParts {
  state: GatewayState;
  cache: Cache;
  rates: RateLimits;
  providers: Providers;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Seconds for which an answer is kept that has a key of the client's, where caching is off (features/caching). */
const OWN_KEY_TTL = 5 * 60;
/** Characters of an answer that are held, to be looked into or logged. */
const MOST_HELD = 20_000_000;

const NOTHING: Usage = { tokensIn: 0, tokensOut: 0 };

/** Of an answer's headers those that do not fit it any more, once it was read. */
const NOT_PASSED = /^(content-encoding|content-length|transfer-encoding|connection|keep-alive|set-cookie|cf-aig-.*)$/;

/** What came of a call. */
interface Outcome {
  status: number;
  contentType: string;
  text: string;
  usage: Usage;
  cached?: boolean;
}

export class Exchange {
  readonly #gateway: string;
  readonly #settings: GatewaySettings;
  readonly #call: Call;
  readonly #parts: ExchangeParts;
  readonly #id: string;
  readonly #started: number;
  readonly #dlp: Dlp;
  readonly #isLogged: boolean;
  #report: DlpReport | undefined;

  constructor(gateway: string, settings: GatewaySettings, call: Call, parts: ExchangeParts) {
    this.#gateway = gateway;
    this.#settings = settings;
    this.#call = call;
    this.#parts = parts;
    this.#started = parts.now();
    this.#id = ulid(this.#started);
    this.#dlp = new Dlp(settings.dlp);
    this.#isLogged = call.options.collectLog ?? settings.collect_logs;
  }

  async answer(): Promise<Response> {
    try {
      return await this.#answer();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refused(error);
    }
  }

  async #answer(): Promise<Response> {
    const { rates, cache, state, providers, now } = this.#parts;
    if (!rates.take(this.#gateway, this.#settings, this.#started)) throw refusals.rateLimited();
    // What is cached was looked into when it was; it costs nothing, so no budget stands in its way either.
    const cached = this.#mayBeCached() ? cache.get(this.#cacheKey(), now()) : undefined;
    if (cached !== undefined) return this.#fromCache(cached);

    const rule = state.spending.exceeded(this.#settings.spend_limits, this.#spender(), now());
    if (rule !== undefined) throw refusals.overSpent(rule);
    const { text, headers } = this.#call;
    if (this.#look("REQUEST", text, headers.get("content-type"))?.action === "BLOCK") throw refusals.requestBlocked();

    const response = await providers.ask(this.#call);
    const isStream = isEventStream(response.headers.get("content-type"));
    return isStream && !this.#dlp.looksAt("RESPONSE") ? this.#stream(response) : this.#whole(response);
  }

  /** Reads the answer before any of it is passed on. @throws Refusal when it is blocked, or ends early */
  async #whole(response: Response): Promise<Response> {
    const bytes = await response.arrayBuffer().catch(() => {
      throw refusals.unreachable();
    });
    const text = new TextDecoder().decode(bytes);
    const contentType = response.headers.get("content-type") ?? "";
    const outcome = { status: response.status, contentType, text, usage: this.#usage(response, text) };
    if (this.#look("RESPONSE", text, contentType)?.action === "BLOCK") {
      // The provider answered, and is to be paid.
      this.#spend(outcome.usage);
      const refusal = refusals.responseBlocked();
      return this.#refused(refusal, outcome.usage);
    }
    this.#spend(outcome.usage);
    this.#log(outcome);
    const headers = passedHeaders(response);
    if (response.ok && contentType.startsWith("application/json"))
      this.#keep({ status: response.status, headers, body: text, usage: outcome.usage });
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status: response.status,
      headers: { ...headers, ...this.#headers("MISS") },
    });
  }

  /** Passes pieces on as they come, and looks back at them when the last has. */
  #stream(response: Response): Response {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      const usage = this.#usage(response, text);
      this.#spend(usage);
      this.#log({ status: response.status, contentType: response.headers.get("content-type") ?? "", text, usage });
    };
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            const next = await reader?.read();
            if (next === undefined || next.done) {
              end();
              controller.close();
              return;
            }
            if (text.length < MOST_HELD) text += decoder.decode(next.value, { stream: true });
            controller.enqueue(next.value);
          } catch (error) {
            end();
            controller.error(error);
          }
        },
        async cancel(reason) {
          end();
          await reader?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { ...passedHeaders(response), ...this.#headers("MISS") };
    return new Response(body, { status: response.status, headers });
  }

  #fromCache({ status, headers, body }: CachedAnswer): Response {
    // Logged without tokens and cost, as a live gateway was seen to do.
    this.#log({ status, contentType: headers["content-type"] ?? "", text: body, usage: NOTHING, cached: true });
    return new Response(body, { status, headers: { ...headers, ...this.#headers("HIT") } });
  }

  /** @param usage of a provider that was asked all the same. Default: none was */
  #refused(refusal: Refusal, usage = NOTHING): Response {
    const text = JSON.stringify(refusal.body());
    this.#log({ status: refusal.status, contentType: "application/json", text, usage });
    return refusal.response(this.#headers());
  }

  #look(check: "REQUEST" | "RESPONSE", text: string, contentType: string | null): DlpReport | undefined {
    if (!this.#dlp.looksAt(check)) return undefined;
    const report = this.#dlp.report(check, textsOf(text, contentType));
    this.#report = joined(this.#report, report);
    return report;
  }

  #usage(response: Response, text: string): Usage {
    // What a provider refuses, and what is no conversation, takes no tokens.
    if (!response.ok || this.#call.method !== "POST") return NOTHING;
    return usageOf(this.#call.text, text, response.headers.get("content-type"));
  }

  #cost(usage: Usage): number {
    const { customCost } = this.#call.options;
    if (customCost === undefined) return costOf(this.#call.model, usage);
    if ("total_cost" in customCost) return usage === NOTHING ? 0 : customCost.total_cost;
    return usage.tokensIn * (customCost.per_token_in ?? 0) + usage.tokensOut * (customCost.per_token_out ?? 0);
  }

  #spender() {
    const { provider, model, options } = this.#call;
    return { gateway: this.#gateway, provider, model, metadata: options.metadata };
  }

  #spend(usage: Usage): void {
    const { state, now } = this.#parts;
    state.spending.add(this.#settings.spend_limits, this.#spender(), this.#cost(usage), now());
  }

  #log({ status, contentType, text, usage, cached = false }: Outcome): void {
    if (!this.#isLogged) return;
    const { state, now } = this.#parts;
    const { provider, model, endpoint, options, headers } = this.#call;
    state.logs.add(
      this.#gateway,
      {
        id: this.#id,
        created_at: new Date(this.#started).toISOString(),
        duration: Math.max(0, Math.round(now() - this.#started)),
        provider,
        model,
        path: endpoint.replace(/^\//, ""),
        success: status < 400,
        cached,
        status_code: status,
        tokens_in: usage.tokensIn,
        tokens_out: usage.tokensOut,
        cost: cached ? 0 : this.#cost(usage),
        custom_cost: options.customCost !== undefined,
        metadata: options.metadata,
        request_content_type: headers.get("content-type") ?? "",
        response_content_type: contentType,
        step: 0,
        ...(this.#report && { dlp: this.#report }),
      },
      options.collectPayload ? { request: this.#call.text, response: text } : undefined,
      { most: this.#settings.log_management, strategy: this.#settings.log_management_strategy },
    );
  }

  #headers(cacheStatus?: "HIT" | "MISS"): Record<string, string> {
    return {
      "cf-aig-event-id": this.#id,
      "cf-aig-step": "0",
      ...(this.#isLogged && { "cf-aig-log-id": this.#id }),
      ...(cacheStatus && { "cf-aig-cache-status": cacheStatus }),
      ...(this.#report && { "cf-aig-dlp": asciiJson(this.#report) }),
    };
  }

  /** Seconds; nothing where the answer is not to be kept. */
  #cacheTtl(): number | undefined {
    const { cacheTtl, cacheKey } = this.#call.options;
    return cacheTtl ?? (this.#settings.cache_ttl || (cacheKey === null ? undefined : OWN_KEY_TTL));
  }

  #mayBeCached(): boolean {
    const { method, streams, options } = this.#call;
    return method === "POST" && !streams && !options.skipCache && this.#cacheTtl() !== undefined;
  }

  #cacheKey(): CacheKey {
    const { provider, endpoint, query, headers, body, options } = this.#call;
    return {
      gateway: this.#gateway,
      provider,
      endpoint: endpoint + query,
      authorization: headers.get("authorization") ?? headers.get("x-api-key"),
      body,
      own: options.cacheKey,
    };
  }

  #keep(answer: CachedAnswer): void {
    const ttl = this.#cacheTtl();
    if (!this.#mayBeCached() || ttl === undefined) return;
    this.#parts.cache.put(this.#cacheKey(), answer, ttl, this.#parts.now());
  }
}

function passedHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => !NOT_PASSED.test(name)));
}
