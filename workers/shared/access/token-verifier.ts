/** Verifies Access tokens and caches the result until they expire (spec: "Authentication"). */
import { BoundedMap } from "@tenantry/std/bounded-map";
import { base64url, errors, jwtVerify } from "jose";
import * as z from "zod";
import type { KeepAlive } from "../single-flight.ts";
import { KeySet, KeysUnavailable } from "./key-set.ts";

const ALGORITHMS = ["RS256", "ES256"];
const MAX_VERIFIED = 2_000;
/** Access issues no longer token. */
const MAX_TOKEN_LENGTH = 8_192;

const JWT_PATTERN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Non-ASCII letters whose lower case is ASCII, and so another user's address. */
const LOOKALIKES = /[\u0130\u212a]/;

const always = {
  aud: z.union([z.string().transform((aud) => [aud]), z.array(z.string())]),
  exp: z.number(),
};

const userClaims = z.object({
  ...always,
  email: z
    .string()
    .min(3)
    .max(320)
    .refine((email) => !LOOKALIKES.test(email))
    .toLowerCase(),
  sub: z.uuid().optional().catch(undefined),
});

/**
 * Of a service token (developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/application-token:
 * "Service token authentication"). A name with `@` could be a user's address.
 */
const serviceClaims = z.object({
  ...always,
  common_name: z
    .string()
    .max(320)
    .regex(/^[\x21-\x3f\x41-\x7e]+$/),
  email: z.never().optional(),
  sub: z.literal(""),
});

/** From a verified token. The caller must check the audience. */
export interface Identity {
  /** In lower case. For a service, the client ID of its token, which has no `@`. */
  email: string;
  /** Whether the token is of an Access service token, which names no user. */
  isService?: true;
  audiences: string[];
  /** Access's id of the user, if it is a UUID. */
  userUuid: string | undefined;
  expiresAt: number;
}

export type TokenFault = "expired" | "invalid";

export class TokenVerifier {
  readonly #issuer: string;
  readonly #keys: KeySet;
  readonly #now: () => number;
  readonly #admitsServices: boolean;
  readonly #verified = new BoundedMap<string, Identity>(MAX_VERIFIED);

  /**
   * @param issuer `iss` of the tokens and base address of the keys
   * @param options.services whether tokens without a user are valid. Default: false
   */
  constructor(issuer: string, { now = Date.now, services = false }: { now?: () => number; services?: boolean } = {}) {
    this.#issuer = issuer;
    this.#now = now;
    this.#admitsServices = services;
    this.#keys = new KeySet(`${issuer}/cdn-cgi/access/certs`, now);
  }

  known(token: string): Identity | undefined {
    const identity = this.#verified.get(token);
    return identity && identity.expiresAt > this.#now() ? identity : undefined;
  }

  /** Checks signature, issuer and expiry. @throws KeysUnavailable */
  async verify(token: string, keepAlive: KeepAlive): Promise<Identity | TokenFault> {
    const known = this.#verified.get(token);
    if (known) {
      if (known.expiresAt > this.#now()) return known;
      this.#verified.delete(token);
      return "expired";
    }
    if (token.length > MAX_TOKEN_LENGTH || !JWT_PATTERN.test(token)) return "invalid";
    try {
      if (!isSignatureCanonical(token)) return "invalid";
      const { payload } = await this.#keys.with(keepAlive, (keys) =>
        jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: this.#issuer,
          requiredClaims: ["exp", "aud"],
          currentDate: new Date(this.#now()),
        }),
      );
      const identity = this.#identityOf(payload);
      this.#verified.set(token, identity);
      return identity;
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error;
      return error instanceof errors.JWTExpired ? "expired" : "invalid";
    }
  }

  /** @throws ZodError */
  #identityOf(payload: unknown): Identity {
    const service = this.#admitsServices ? serviceClaims.safeParse(payload).data : undefined;
    if (service !== undefined) {
      const { common_name: name, aud, exp } = service;
      const email = name.toLowerCase();
      return { email, isService: true, audiences: aud, userUuid: undefined, expiresAt: exp * 1000 };
    }
    const { email, aud, exp, sub } = userClaims.parse(payload);
    return { email, audiences: aud, userUuid: sub, expiresAt: exp * 1000 };
  }
}

/** A signature has several base64url encodings; only one may be cached. @throws when it is not base64url */
function isSignatureCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return base64url.encode(base64url.decode(signature)) === signature;
}
