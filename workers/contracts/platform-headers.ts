/**
 * Headers the dispatch Worker sets for the tenant Worker (spec: "Headers set by the dispatch worker").
 * Anything a client sends under {@link PLATFORM_HEADER_PREFIX} is removed.
 */
import { z } from "zod";
import { plans } from "../../domain/plan.ts";

export const PLATFORM_HEADER_PREFIX = "x-platform-";
export const ROLE_HEADER = "X-Platform-Role";
export const METADATA_HEADER = "X-Platform-Metadata";
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
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(metadata))));
}

/**
 * The metadata a header value holds.
 * @throws ZodError or SyntaxError when it is not what {@link encodeMetadata} writes
 */
export function decodeMetadata(value: string): PlatformMetadata {
  const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  return platformMetadata.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
