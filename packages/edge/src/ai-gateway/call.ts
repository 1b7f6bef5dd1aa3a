/** One request to a gateway, read whole: what it asks of whom, and what its `cf-aig-…` headers say. */
import * as z from "zod";
import type { GatewayAddress } from "./address.ts";
import { jsonOf } from "./events.ts";
import { refusals } from "./refusal.ts";

/** Bytes of a request's body. */
export const MOST_REQUEST_BYTES = 10 * 1024 * 1024;
/** Entries of metadata; further ones are left out, as documented. */
const MOST_METADATA = 5;
const SECONDS_A_MONTH = 30 * 24 * 60 * 60;

const chat = z.looseObject({ model: z.string().default(""), stream: z.boolean().nullish() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const customCost = z.union([
  z.object({ total_cost: z.number().min(0) }),
  z.object({ per_token_in: z.number().min(0).optional(), per_token_out: z.number().min(0).optional() }),
]);

export interface Call {
  /** Provider that is asked, and whose key is needed. */
  provider: string;
  /** In whose shape it is asked: the compatible endpoint speaks OpenAI's with every provider. */
  dialect: "openai" | "anthropic";
  /** Path at the provider. */
  endpoint: string;
  query: string;
  method: string;
  headers: Headers;
  body: Uint8Array<ArrayBuffer>;
  /** Body as text. */
  text: string;
  /** Body as JSON; undefined where it is none. */
  json: unknown;
  /** Without its provider; empty where none is named. */
  model: string;
  streams: boolean;
  options: CallOptions;
  signal: AbortSignal;
}

export interface CallOptions {
  metadata: Readonly<Record<string, string | number | boolean>>;
  /** Seconds for which the answer may be kept, in place of the gateway's. */
  cacheTtl?: number;
  skipCache: boolean;
  cacheKey: string | null;
  /** Whether the call is logged, in place of the gateway's setting. */
  collectLog?: boolean;
  collectPayload: boolean;
  customCost?: z.infer<typeof customCost>;
}

/** @throws Refusal when the body is too large, or no chat completion where one must be */
export async function readCall(request: Request, address: GatewayAddress): Promise<Call> {
  const { headers, method, signal } = request;
  const body = await wholeBody(request);
  const text = new TextDecoder().decode(body);
  const json = jsonOf(text);
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
  const asked = { ...parsed.data, model: ofProvider };
  const sent = new TextEncoder().encode(JSON.stringify(asked));
  return {
    ...common,
    provider,
    dialect: "openai",
    // Anthropic serves OpenAI's shape itself, below its version.
    endpoint: provider === "anthropic" ? `/v1${address.endpoint}` : address.endpoint,
    body: sent,
    text,
    json: asked,
    model: ofProvider,
    streams: stream === true,
  };
}

async function wholeBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_REQUEST_BYTES)
    throw refusals.tooLarge(MOST_REQUEST_BYTES);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of request.body ?? []) {
    length += piece.length;
    if (length > MOST_REQUEST_BYTES) throw refusals.tooLarge(MOST_REQUEST_BYTES);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function optionsOf(headers: Headers): CallOptions {
  const ttl = headers.get("cf-aig-cache-ttl") ?? headers.get("cf-cache-ttl");
  const collect = headers.get("cf-aig-collect-log");
  const cost = customCost.safeParse(jsonOf(headers.get("cf-aig-custom-cost") ?? ""));
  return {
    metadata: metadataOf(headers.get("cf-aig-metadata")),
    // Documented as a minute to a month; what lies outside is brought inside.
    ...(ttl !== null && /^\d+$/.test(ttl) && { cacheTtl: Math.min(Math.max(Number(ttl), 60), SECONDS_A_MONTH) }),
    skipCache: (headers.get("cf-aig-skip-cache") ?? headers.get("cf-skip-cache")) === "true",
    cacheKey: headers.get("cf-aig-cache-key"),
    ...(collect !== null && { collectLog: collect !== "false" }),
    collectPayload: headers.get("cf-aig-collect-log-payload") !== "false",
    ...(cost.success && { customCost: cost.data }),
  };
}

/** One value that is no scalar loses the whole, as a live gateway was seen to do. */
function metadataOf(header: string | null): Record<string, string | number | boolean> {
  const given = z.record(z.string(), scalar).safeParse(jsonOf(header ?? ""));
  if (!given.success) return {};
  const theirs = Object.entries(given.data).filter(([name]) => !name.startsWith("cf."));
  return Object.fromEntries(theirs.slice(0, MOST_METADATA));
}
