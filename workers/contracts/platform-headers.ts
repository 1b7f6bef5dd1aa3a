/**
 * Headers that the dispatch Worker sets for the tenant Worker (spec: "Headers set by the dispatch worker"). Client headers with
 * {@link PLATFORM_HEADER_PREFIX} are removed.
 */
import * as z from "zod";
import { plans } from "#domain/plans/plan.ts";
import { type Brand, brand } from "./brand.ts";
import { role } from "./roles.ts";

export const PLATFORM_HEADER_PREFIX = "x-platform-";
export const ROLE_HEADER = "X-Platform-Role";
export const METADATA_HEADER = "X-Platform-Metadata";
/** Verified e-mail address of the user, encoded by {@link encodeUser}; absent without a role. Not in the spec; gateways show it. */
export const USER_HEADER = "X-Platform-User";
/** From the tenant Worker to the gateway: the client's address according to Cloudflare; absent if unknown. */
export const ADDRESS_HEADER = "X-Platform-Address";
/**
 * From the tenant Worker to the gateway: a JWT (EdDSA) of user and role, which programs in the container cannot forge. The gateway has the
 * public key in {@link TICKET_KEY_VARIABLE}. Claims: {@link userTicket}.
 */
export const TICKET_HEADER = "X-Platform-Ticket";
/** Variable of the gateway: the public key of tickets, Ed25519, raw, base64url. */
export const TICKET_KEY_VARIABLE = "TICKET_KEY";
/** Variable of the gateway: the previous key, a dot, and the expiry of its tickets in seconds since the epoch. Absent without one. */
export const FORMER_TICKET_KEY_VARIABLE = "FORMER_TICKET_KEY";

/**
 * Path at which the Worker replaces the ticket key of a running gateway: POST with a JWT (EdDSA), signed by the key in use, with the claims of
 * {@link TicketKeyOrder}. The gateway confirms with 200 and {@link ticketKeyAnswer}, or refuses with 403.
 */
export const TICKET_KEY_PATH = "/ticket-key";

export interface TicketKeyOrder {
  /** The new public key, as in {@link TICKET_KEY_VARIABLE}. */
  nextKey: string;
  /** Expiry of the previous key's tickets, in seconds since the epoch. */
  until: number;
}

export const ticketKeyAnswer = z.object({ ticketKey: z.string() });

/** Claims of a ticket. */
export const userTicket = z.object({
  /** E-mail address. */
  sub: z.string().min(1),
  role,
  /** Slug of the tenant. */
  aud: z.string(),
  /** Seconds since the epoch. */
  exp: z.number(),
});

/** Of an order of the platform: the person who requested it, a `requester` encoded by {@link encodeJson}. Earlier versions send none. */
export const REQUESTER_HEADER = "X-Platform-Requester";

/** Percent-encodes `%` and characters that headers cannot have. */
export const encodeUser = (email: string): string => email.replace(/[^\x21-\x24\x26-\x7e]+/gu, encodeURIComponent);

/** @throws URIError for a malformed value */
export const decodeUser = (value: string): string => decodeURIComponent(value);

/**
 * When the dispatch Worker began to read tenant and role from the database, in milliseconds since the epoch. Not in the spec. Earlier versions
 * send none.
 */
export const ADMITTED_AT_HEADER = "X-Platform-Admitted-At";
/**
 * Of a response with status {@link CUT_STATUS}: the tenant Worker refuses the request, since tenant and role were read before its connections
 * were cut at this time. In milliseconds since the epoch.
 */
export const CUT_AT_HEADER = "X-Platform-Cut-At";
export const CUT_STATUS = 409;

/** Returns the milliseconds in {@link ADMITTED_AT_HEADER} or {@link CUT_AT_HEADER}; `undefined` without a valid value. */
export function timeIn(headers: Headers, name: string): number | undefined {
  const value = headers.get(name);
  const time = value === null ? Number.NaN : Number(value);
  return Number.isSafeInteger(time) ? time : undefined;
}

/** Kind of caller of a health request, each with a rate limit of its own. Absent on other requests. */
export const CALLER_HEADER = "X-Platform-Caller";
/** `user`: logged in at this tenant. `platform`: has the platform's own token. */
export const callers = ["anonymous", "user", "platform"] as const;
export type Caller = (typeof callers)[number];

/** Decoded `X-Platform-Metadata`, which is base64 of UTF-8 JSON. */
export const platformMetadata = z.object({
  v: z.literal(1),
  plan: z.enum(plans),
  /** Validated users of the client. */
  seats: z.number().int().nonnegative(),
  credits: z.object({ purchased: z.number(), consumed: z.number() }),
  limits: z.object({ cpuMs: z.number().int().positive(), subrequests: z.number().int().positive() }),
});
export type PlatformMetadata = z.infer<typeof platformMetadata>;

export const encodeMetadata = (metadata: PlatformMetadata): string => encodeJson(metadata);

/** @throws ZodError or SyntaxError for a malformed value */
export const decodeMetadata = (value: string): PlatformMetadata => platformMetadata.parse(decodeJson(value));

/** Brand for the tenant Worker's own pages, encoded by {@link encodeBrand}; only on page requests. Not in the spec. */
export const BRAND_HEADER = "X-Platform-Brand";

export const encodeBrand = (value: Brand): string => encodeJson(value);

/** Returns `undefined` for a malformed value. */
export const decodeBrand = (value: string): Brand | undefined => decodeAs(brand, value);

/** Base64 of JSON, whose escapes leave only ASCII: no bytes are converted. */
export const encodeJson = (value: unknown): string => btoa(JSON.stringify(value).replace(/[\u0080-\uffff]/g, escaped));

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** @throws SyntaxError or `InvalidCharacterError` for a malformed value */
function decodeJson(value: string): unknown {
  const text = atob(value);
  if (!/[\x80-\xff]/.test(text)) return JSON.parse(text);
  // An earlier version, and gateways' tests, send UTF-8.
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Returns a value that {@link encodeJson} encoded; `undefined` for a malformed one. */
export function decodeAs<T>(schema: z.ZodType<T>, value: string): T | undefined {
  try {
    return schema.safeParse(decodeJson(value)).data;
  } catch {
    return undefined;
  }
}
