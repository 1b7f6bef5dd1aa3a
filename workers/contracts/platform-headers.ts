/**
 * Headers the dispatch Worker sets for the tenant Worker (spec: "Headers set by the dispatch worker").
 * Anything a client sends under {@link PLATFORM_HEADER_PREFIX} is removed.
 */
import * as z from "zod";
import { plans } from "#domain/plans/plan.ts";
import { type Brand, brand } from "./brand.ts";
import { role } from "./roles.ts";

export const PLATFORM_HEADER_PREFIX = "x-platform-";
export const ROLE_HEADER = "X-Platform-Role";
export const METADATA_HEADER = "X-Platform-Metadata";
/**
 * The verified e-mail address of the user, as {@link encodeUser} writes it; beside the role, so absent where that is. Not of the spec:
 * by it people have names in the gateway.
 */
export const USER_HEADER = "X-Platform-User";
/**
 * From the tenant Worker to the gateway: the client's address as Cloudflare tells it, absent where that is unknown.
 */
export const ADDRESS_HEADER = "X-Platform-Address";
/**
 * From the tenant Worker to the gateway: a JWT (EdDSA) of user and role, which a program in the container cannot write. The public key
 * is in the gateway's environment as {@link TICKET_KEY_VARIABLE}; claims: {@link userTicket}.
 */
export const TICKET_HEADER = "X-Platform-Ticket";
/** Variable of the gateway: the key of tickets, Ed25519, raw, base64url. */
export const TICKET_KEY_VARIABLE = "TICKET_KEY";
/** Variable of the gateway: the key before it and, after a point, until when its tickets are good, in seconds since the epoch. Absent without one. */
export const FORMER_TICKET_KEY_VARIABLE = "FORMER_TICKET_KEY";

/**
 * Path of the gateway at which the Worker replaces the key of tickets while the gateway runs: POST, with an order as the body, a JWT (EdDSA) that
 * the key in use signed; claims: {@link TicketKeyOrder}. 200 and {@link ticketKeyAnswer} confirm it, 403 refuses it.
 */
export const TICKET_KEY_PATH = "/ticket-key";

export interface TicketKeyOrder {
  /** The new key, public: as {@link TICKET_KEY_VARIABLE}. */
  nextKey: string;
  /** Until when tickets of the key before it are accepted, in seconds since the epoch. */
  until: number;
}

export const ticketKeyAnswer = z.object({ ticketKey: z.string() });

/** What a ticket says. */
export const userTicket = z.object({
  /** E-mail address. */
  sub: z.string().min(1),
  role,
  /** Slug of the tenant. */
  aud: z.string(),
  /** Seconds since the epoch. */
  exp: z.number(),
});

/** An e-mail address as a header's value: what a header cannot hold, and `%`, as in a URL. */
export function encodeUser(email: string): string {
  return email.replace(/[^\x21-\x24\x26-\x7e]+/gu, encodeURIComponent);
}

/** The address of {@link encodeUser}. @throws URIError when it is not of that form */
export function decodeUser(value: string): string {
  return decodeURIComponent(value);
}

/**
 * On a call of the health interface, who makes it: {@link callers}. Strangers, and those who are known, have budgets of their own.
 * Absent on all other requests.
 */
export const CALLER_HEADER = "X-Platform-Caller";
/** `anonymous`: nobody knows. `user`: of this tenant, logged in. `platform`: holds the platform's own token. */
export const callers = ["anonymous", "user", "platform"] as const;
export type Caller = (typeof callers)[number];

/** The decoded `X-Platform-Metadata`: base64 of UTF-8 JSON of this shape. */
export const platformMetadata = z.object({
  v: z.literal(1),
  plan: z.enum(plans),
  /** Validated users of the client. */
  seats: z.number().int().nonnegative(),
  credits: z.object({ purchased: z.number(), consumed: z.number() }),
  limits: z.object({ cpuMs: z.number().int().positive(), subrequests: z.number().int().positive() }),
});
export type PlatformMetadata = z.infer<typeof platformMetadata>;

/** The header's value for `metadata`. */
export function encodeMetadata(metadata: PlatformMetadata): string {
  return encodeJson(metadata);
}

/**
 * The metadata a header value holds.
 * @throws ZodError or SyntaxError when it is not what {@link encodeMetadata} writes
 */
export function decodeMetadata(value: string): PlatformMetadata {
  return platformMetadata.parse(decodeJson(value));
}

/**
 * To the tenant Worker alone, and only where a person asks for a page: whose look pages of its own have, as {@link encodeBrand} writes
 * it. Not of the spec.
 */
export const BRAND_HEADER = "X-Platform-Brand";

/** The header's value for a brand. */
export function encodeBrand(value: Brand): string {
  return encodeJson(value);
}

/** The brand a header value holds; undefined when it is not what {@link encodeBrand} writes. */
export function decodeBrand(value: string): Brand | undefined {
  try {
    return brand.safeParse(decodeJson(value)).data;
  } catch {
    return undefined;
  }
}

/** Base64 of UTF-8 JSON. */
function encodeJson(value: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
}

/** @throws SyntaxError when it is none, or `InvalidCharacterError` */
function decodeJson(value: string): unknown {
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
