/**
 * Tickets by which the tenant's Worker vouches for users.
 *
 * Environment: TICKET_KEY, the Worker's public key (Ed25519, raw, base64url); FORMER_TICKET_KEY, the key before it and, after a point,
 * until when its tickets are good (seconds since the epoch); TENANT_SLUG, whom tickets are for.
 */
import { createPublicKey, verify } from "node:crypto";

export class Tickets {
  /** That of the key in use comes first. */
  #keys;
  #tenant;

  constructor({ TICKET_KEY: key, FORMER_TICKET_KEY: former = "", TENANT_SLUG: tenant }) {
    const [formerKey, until] = former.split(".");
    this.#keys = [
      [key, Number.POSITIVE_INFINITY],
      [formerKey, Number(until)],
    ].flatMap(([x, until]) => (x ? [{ x, key: publicKey(x), until }] : []));
    this.#tenant = tenant;
  }

  /** The claims of a ticket that the Worker signed, whether or not it is good now; `exp` is never later than its key is good. `undefined` for any other. */
  claimsOf(ticket) {
    const read = this.#read(ticket);
    if (read === undefined) return undefined;
    const { claims, signer } = read;
    if (typeof claims.sub !== "string" || claims.sub === "") return undefined;
    return { ...claims, exp: Math.min(claims.exp, signer.until) };
  }

  /**
   * Replaces the key in use by the one that an order names: a JWT that the key in use signed, with the claims `nextKey` and `until`, when tickets
   * of the key before it are no longer accepted. An order that was carried out already is accepted again.
   *
   * @returns the variables of the keys; `undefined` for any other order
   */
  replaceKey(order) {
    const { claims, signer } = this.#read(order) ?? {};
    if (claims === undefined || !(claims.exp > Date.now() / 1000) || !Number.isInteger(claims.until)) return undefined;
    const { nextKey, until } = claims;
    const [used] = this.#keys;
    if (nextKey !== used.x) {
      if (signer !== used || !/^[\w-]{43}$/.test(nextKey)) return undefined;
      this.#keys = [
        { x: nextKey, key: publicKey(nextKey), until: Number.POSITIVE_INFINITY },
        { ...used, until },
      ];
    }
    const [{ x }, former] = this.#keys;
    return { TICKET_KEY: x, FORMER_TICKET_KEY: former === undefined ? "" : `${former.x}.${former.until}` };
  }

  #read(token) {
    const [header = "", payload = "", signature = "", ...more] = token.split(".");
    if (more.length > 0) return undefined;
    const signed = Buffer.from(`${header}.${payload}`);
    const signer = this.#keys.find(({ key }) => verify(null, signed, key, Buffer.from(signature, "base64url")));
    if (signer === undefined) return undefined;
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return claims.aud === this.#tenant ? { claims, signer } : undefined;
  }
}

const publicKey = (x) => createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
