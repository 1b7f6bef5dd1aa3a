import type { GatewaySettings } from "../cloudflare/kinds/ai-gateways/settings.ts";
import { asciiJson } from "../http/ascii-json.ts";
import type { Cache, CachedResponse, CacheKey } from "./cache.ts";
import type { Call } from "./call.ts";
import { Dlp, type DlpReport, mergeReports } from "./dlp/dlp.ts";
import { isEventStream } from "./events.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import { costOf } from "./prices.ts";
import type { Providers } from "./providers.ts";
import { Refusal, refusals } from "./refusal.ts";
import type { GatewayState } from "./state.ts";
import { textsOf } from "./text.ts";
import { createUlid } from "./ulid.ts";
import { type Usage, usageOf } from "./usage.ts";

interface ExchangeOptions {
  gateway: string;
  settings: GatewaySettings;
  call: Call;
  state: GatewayState;
  cache: Cache;
  rates: RateLimits;
  providers: Providers;
  /** Bytes of a request whose response may be cached. */
  mostCacheable: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Cache time in seconds of a response with a key of the client when caching is off (features/caching). */
const OWN_KEY_TTL = 5 * 60;
const MAX_TEXT = 20_000_000;

const NOTHING: Usage = { tokensIn: 0, tokensOut: 0 };

/** Headers of the original response that do not apply after reading it. */
const EXCLUDED = /^(content-encoding|content-length|transfer-encoding|connection|keep-alive|set-cookie|cf-aig-.*)$/;

interface Outcome {
  status: number;
  contentType: string;
  text: string;
  usage: Usage;
  cached?: boolean;
}

export class Exchange {
  readonly #o: ExchangeOptions;
  readonly #started: number;
  readonly #id: string;
  readonly #dlp: Dlp;
  readonly #isLogged: boolean;
  #report: DlpReport | undefined;

  constructor(options: ExchangeOptions) {
    const { settings, call } = options;
    this.#o = options;
    this.#started = options.now();
    this.#id = createUlid(this.#started);
    this.#dlp = new Dlp(settings.dlp);
    this.#isLogged = call.options.collectLog ?? settings.collect_logs;
  }

  async respond(): Promise<Response> {
    try {
      return await this.#send();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.#refused(error);
    }
  }

  async #send(): Promise<Response> {
    const { rates, cache, state, providers, now, settings, call, gateway } = this.#o;
    if (!rates.take(gateway, settings, this.#started)) throw refusals.rateLimited();
    // A cached response has passed data loss prevention and costs nothing.
    const cached = this.#mayBeCached() ? cache.get(this.#cacheKey(), now()) : undefined;
    if (cached !== undefined) return this.#fromCache(cached);

    const rule = state.spending.exceeded(settings.spend_limits, this.#spender(), now());
    if (rule !== undefined) throw refusals.overSpent(rule);
    const { text, headers } = call;
    if (this.#inspect("REQUEST", text, headers.get("content-type"))?.action === "BLOCK")
      throw refusals.requestBlocked();

    const response = await providers.call(call);
    const isStream = isEventStream(response.headers.get("content-type"));
    return isStream && !this.#dlp.appliesTo("RESPONSE") ? this.#stream(response) : this.#buffer(response);
  }

  /** Reads the whole response first. @throws Refusal when it is blocked or incomplete */
  async #buffer(response: Response): Promise<Response> {
    const bytes = await response.arrayBuffer().catch(() => {
      throw refusals.unreachable();
    });
    const text = new TextDecoder().decode(bytes);
    const contentType = response.headers.get("content-type") ?? "";
    const outcome = { status: response.status, contentType, text, usage: this.#usage(response, text) };
    // The provider charges for a blocked response too.
    this.#spend(outcome.usage);
    const isBlocked = this.#inspect("RESPONSE", text, contentType)?.action === "BLOCK";
    if (isBlocked) return this.#refused(refusals.responseBlocked(), outcome.usage);
    this.#log(outcome);
    const headers = forwardedHeaders(response);
    if (response.ok && contentType.startsWith("application/json"))
      this.#store({ status: response.status, headers, body: text, usage: outcome.usage });
    return new Response(bytes.byteLength === 0 ? null : bytes, {
      status: response.status,
      headers: { ...headers, ...this.#headers("MISS") },
    });
  }

  #stream(response: Response): Response {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let isEnded = false;
    const end = (): void => {
      if (isEnded) return;
      isEnded = true;
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
              return controller.close();
            }
            if (text.length < MAX_TEXT) text += decoder.decode(next.value, { stream: true });
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
    const headers = { ...forwardedHeaders(response), ...this.#headers("MISS") };
    return new Response(body, { status: response.status, headers });
  }

  #fromCache({ status, headers, body }: CachedResponse): Response {
    // Logged without tokens and cost, as in a live gateway.
    this.#log({ status, contentType: headers["content-type"] ?? "", text: body, usage: NOTHING, cached: true });
    return new Response(body, { status, headers: { ...headers, ...this.#headers("HIT") } });
  }

  /** @param usage of a provider that was called. Default: none */
  #refused(refusal: Refusal, usage = NOTHING): Response {
    const text = JSON.stringify(refusal.body());
    this.#log({ status: refusal.status, contentType: "application/json", text, usage });
    return refusal.response(this.#headers());
  }

  #inspect(check: "REQUEST" | "RESPONSE", text: string, contentType: string | null): DlpReport | undefined {
    if (!this.#dlp.appliesTo(check)) return undefined;
    const report = this.#dlp.report(check, textsOf(text, contentType));
    this.#report = mergeReports(this.#report, report);
    return report;
  }

  #usage(response: Response, text: string): Usage {
    // A rejected request, and one that is not a conversation, has no tokens.
    if (!response.ok || this.#o.call.method !== "POST") return NOTHING;
    return usageOf(this.#o.call.text, text, response.headers.get("content-type"));
  }

  #cost(usage: Usage): number {
    const { customCost } = this.#o.call.options;
    if (customCost === undefined) return costOf(this.#o.call.model, usage);
    if ("total_cost" in customCost) return usage === NOTHING ? 0 : customCost.total_cost;
    return usage.tokensIn * (customCost.per_token_in ?? 0) + usage.tokensOut * (customCost.per_token_out ?? 0);
  }

  #spender() {
    const { provider, model, options } = this.#o.call;
    return { gateway: this.#o.gateway, provider, model, metadata: options.metadata };
  }

  #spend(usage: Usage): void {
    const { state, now } = this.#o;
    state.spending.add(this.#o.settings.spend_limits, this.#spender(), this.#cost(usage), now());
  }

  #log({ status, contentType, text, usage, cached = false }: Outcome): void {
    if (!this.#isLogged) return;
    const { state, now } = this.#o;
    const { provider, model, endpoint, options, headers } = this.#o.call;
    state.logs.add(
      this.#o.gateway,
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
        dlp: this.#report,
      },
      options.collectPayload ? { request: this.#o.call.text, response: text } : undefined,
      { most: this.#o.settings.log_management, strategy: this.#o.settings.log_management_strategy },
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

  /** Returns seconds to cache the response; undefined when it must not be cached. */
  #cacheTtl(): number | undefined {
    const { cacheTtl, cacheKey } = this.#o.call.options;
    return cacheTtl ?? (this.#o.settings.cache_ttl || (cacheKey === null ? undefined : OWN_KEY_TTL));
  }

  #mayBeCached(): boolean {
    const { body, method, streams, options } = this.#o.call;
    const fits = body.byteLength <= this.#o.mostCacheable;
    return method === "POST" && fits && !streams && !options.skipCache && this.#cacheTtl() !== undefined;
  }

  #cacheKey(): CacheKey {
    const { provider, endpoint, query, headers, body, options } = this.#o.call;
    return {
      gateway: this.#o.gateway,
      provider,
      endpoint: endpoint + query,
      authorization: headers.get("authorization") ?? headers.get("x-api-key"),
      body,
      own: options.cacheKey,
    };
  }

  #store(response: CachedResponse): void {
    const ttl = this.#cacheTtl();
    if (!this.#mayBeCached() || ttl === undefined) return;
    const { cache, now } = this.#o;
    cache.put(this.#cacheKey(), response, ttl, now());
  }
}

function forwardedHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => !EXCLUDED.test(name)));
}
