import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import * as z from "zod";
import { parseJson } from "./events.ts";
import { refusals } from "./refusal.ts";

const SECONDS_PER_MONTH = 30 * 24 * 60 * 60;

interface GatewayAddress {
  account: string;
  gateway: string;
  provider: string;
  /** Path at the provider with its leading slash, or empty. */
  endpoint: string;
  /** With its question mark, or empty. */
  query: string;
}

const PATTERN = /^(?:\/ai-gateway)?\/v1\/([^/]+)\/([^/]+)\/([^/]+)(\/.*)?$/;

/** Parses `…/v1/{account}/{gateway}/{provider}/…`, the path at gateway.ai.cloudflare.com. */
export function gatewayAddress({ pathname, search }: URL): GatewayAddress | undefined {
  const [, account, gateway, provider, endpoint = ""] = PATTERN.exec(pathname) ?? [];
  if (account === undefined || gateway === undefined || provider === undefined) return undefined;
  return { account, gateway, provider, endpoint, query: search };
}

const chat = z.looseObject({ model: z.string().default(""), stream: z.boolean().nullish() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const customCost = z.union([
  z.object({ total_cost: z.number().min(0) }),
  z.object({ per_token_in: z.number().min(0).optional(), per_token_out: z.number().min(0).optional() }),
]);

export interface Call {
  provider: string;
  /** API of the request. The compatible endpoint uses OpenAI's for every provider. */
  dialect: "openai" | "anthropic";
  endpoint: string;
  query: string;
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  text: string;
  /** Body as JSON; undefined for another body. */
  json: unknown;
  /** Without provider; empty when the body has none. */
  model: string;
  streams: boolean;
  options: CallOptions;
  signal: AbortSignal;
}

/** The `cf-aig-…` headers. */
interface CallOptions {
  metadata: Readonly<Record<string, string | number | boolean>>;
  /** Seconds to cache the response. Default: the gateway's setting */
  cacheTtl?: number;
  skipCache: boolean;
  cacheKey: string | null;
  /** Whether to log the call. Default: the gateway's setting */
  collectLog?: boolean;
  collectPayload: boolean;
  customCost?: z.infer<typeof customCost>;
}

/** Reads a request. @throws Refusal for a body that is too large or not a chat completion of the compatible endpoint */
/** @param most bytes of the body. @throws Refusal */
export async function readCall(request: Request, address: GatewayAddress, most: number): Promise<Call> {
  const { headers, method, signal } = request;
  const body = await readBody(request, most);
  const text = new TextDecoder().decode(body);
  const json = parseJson(text);
  const parsed = chat.safeParse(json);
  const { model, stream } = parsed.success ? parsed.data : { model: "", stream: false };
  const common = { method, headers, signal, query: address.query, options: optionsOf(headers) };
  if (address.provider !== "compat") {
    const dialect = address.provider === "anthropic" ? "anthropic" : "openai";
    const { provider, endpoint } = address;
    return { ...common, provider, dialect, endpoint, body, text, json, model, streams: stream === true };
  }
  const [, provider, ofProvider] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  if (!parsed.success || model === "" || address.endpoint !== "/chat/completions") throw refusals.badFormat();
  if (provider === undefined || ofProvider === undefined) throw refusals.invalidProvider();
  const compatible = { ...parsed.data, model: ofProvider };
  const sent = new TextEncoder().encode(JSON.stringify(compatible));
  return {
    ...common,
    provider,
    dialect: "openai",
    // Anthropic has an endpoint for OpenAI's API below its version.
    endpoint: provider === "anthropic" ? `/v1${address.endpoint}` : address.endpoint,
    body: sent,
    text,
    json: compatible,
    model: ofProvider,
    streams: stream === true,
  };
}

async function readBody(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw refusals.tooLarge(most);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > most) throw refusals.tooLarge(most);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function optionsOf(headers: Headers): CallOptions {
  const ttl = headers.get("cf-aig-cache-ttl") ?? headers.get("cf-cache-ttl");
  const collect = headers.get("cf-aig-collect-log");
  const cost = customCost.safeParse(parseJson(headers.get("cf-aig-custom-cost") ?? ""));
  return {
    metadata: metadataOf(headers.get("cf-aig-metadata")),
    // Documented as a minute to a month.
    ...(ttl !== null && /^\d+$/.test(ttl) && { cacheTtl: Math.min(Math.max(Number(ttl), 60), SECONDS_PER_MONTH) }),
    skipCache: (headers.get("cf-aig-skip-cache") ?? headers.get("cf-skip-cache")) === "true",
    cacheKey: headers.get("cf-aig-cache-key"),
    ...(collect !== null && { collectLog: collect !== "false" }),
    collectPayload: headers.get("cf-aig-collect-log-payload") !== "false",
    ...(cost.success && { customCost: cost.data }),
  };
}

/** One value that is not a scalar invalidates all, as in a live gateway. */
function metadataOf(header: string | null): Record<string, string | number | boolean> {
  const given = z.record(z.string(), scalar).safeParse(parseJson(header ?? ""));
  if (!given.success) return {};
  const entries = Object.entries(given.data).filter(([name]) => !name.startsWith("cf."));
  return Object.fromEntries(entries.slice(0, LIMITS.aiGatewayMetadata.value));
}
