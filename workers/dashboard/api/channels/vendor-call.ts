/** Requests to vendors' APIs. Tokens are in no log and in no error. */
import { parsedJson } from "@tenantry/std/parsed-json";
import * as z from "zod";
import { CHANNEL_KINDS, type ChannelKind, messengerOf } from "#domain/channels/kinds.ts";
import { channelErrors } from "#domain/errors/api/channels.ts";
import { readBounded } from "#workers/shared/bounded-body.ts";
import { log } from "#workers/shared/log.ts";
import { failure } from "../../http/failure.tsx";
import { secondsToWait } from "../../http/retry-after.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
/** Workers send none, and Discord may block programs without one of this form: https://docs.discord.com/developers/reference#user-agent. */
const AGENTS: Readonly<Partial<Record<ChannelKind, string>>> = { discord: "DiscordBot (https://tenantry.example, 1)" };

export interface VendorResponse {
  status: number;
  /** JSON. */
  body: unknown;
}

export interface VendorRequest {
  kind: ChannelKind;
  /** Base URL and path; Telegram's has the token. */
  url: string;
  method?: "GET" | "POST";
  /** Sent as a bearer token. Default: none. */
  bearer?: string;
  /** Default: `Bearer`. */
  scheme?: "Bot";
  /** Sent as the body. Default: none. */
  form?: Record<string, string>;
}

export type ChannelApis = Readonly<Partial<Record<ChannelKind, string>>>;

/** Returns the URL of a platform's stand-in for a messenger's API. */
export const standInOf = (kind: ChannelKind, apis: ChannelApis): string | undefined =>
  Object.entries(apis).find(([name]) => name === messengerOf(kind))?.[1];

/** Returns the URL of a platform's stand-in, the channel's own server, or the vendor's. */
export const apiOf = (kind: ChannelKind, apis: ChannelApis, own?: string): string =>
  standInOf(kind, apis) ?? own?.replace(/\/$/, "") ?? CHANNEL_KINDS[kind].api;

/** Follows no redirect, which would pass the token on. @throws Failure unless the vendor responds with JSON and a status below 500 other than 429 */
export async function callVendor({
  kind,
  url,
  method = "GET",
  bearer,
  scheme,
  form,
}: VendorRequest): Promise<VendorResponse> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    accept: "application/json",
    ...(AGENTS[kind] !== undefined && { "user-agent": AGENTS[kind] }),
    ...(bearer !== undefined && { authorization: `${scheme ?? "Bearer"} ${bearer}` }),
  };
  let response: Response;
  let bytes: Uint8Array;
  try {
    const body = form && { body: new URLSearchParams(form) };
    response = await fetch(url, { method, headers, redirect: "manual", signal, ...body });
    bytes = await readBounded(response, MAX_BYTES, signal);
  } catch (error) {
    // The message of an error can have the URL.
    const name = error instanceof Error ? error.name : "unknown";
    log("warn", "channel.vendor-unreachable", { kind, name });
    if (name === "BodyTooLarge") throw unknownResponse(kind, 200);
    throw failure(channelErrors.channel_vendor_no_response, {
      vendor: CHANNEL_KINDS[kind].label,
      seconds: TIMEOUT_MS / 1000,
    });
  }
  const { status } = response;
  const body = parsedJson(new TextDecoder().decode(bytes));
  if (status === 429) throw busy(kind, response.headers, body);
  if ((status >= 300 && status < 400) || status >= 500 || body === undefined) throw unknownResponse(kind, status);
  return { status, body };
}

/** Telegram states the seconds in the body (https://core.telegram.org/bots/api#responseparameters), Slack in a header. */
const telegramWait = z.object({ parameters: z.object({ retry_after: z.number().int().positive() }) });

function busy(kind: ChannelKind, headers: Headers, body: unknown) {
  const stated = telegramWait.safeParse(body).data?.parameters.retry_after.toString();
  const wait = stated ?? secondsToWait(headers);
  const { label } = CHANNEL_KINDS[kind];
  return failure(channelErrors.channel_vendor_busy, { vendor: label }, { headers: { "retry-after": wait } });
}

/** A response that the vendor does not document: of a proxy, or a redirect. */
export function unknownResponse(kind: ChannelKind, status: number) {
  log("warn", "channel.vendor-response-unknown", { kind, status });
  return failure(channelErrors.channel_vendor_response_unknown, { vendor: CHANNEL_KINDS[kind].label, status });
}
