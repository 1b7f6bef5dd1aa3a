/**
 * Verifies tickets, with which the tenant's Worker identifies users.
 *
 * Environment: TICKET_KEY, the Worker's public key (Ed25519, raw, base64url); FORMER_TICKET_KEY, the former key and, after a dot, when its
 * tickets expire (seconds since the epoch); TENANT_SLUG, the audience.
 */
import { createPublicKey, verify } from "node:crypto";

export class Tickets {
  /** The current key comes first. */
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

  /** Returns the claims of a valid or expired ticket; `undefined` for any other. `exp` is never later than the expiry of its key. */
  claimsOf(ticket) {
    const read = this.#read(ticket);
    if (read === undefined) return undefined;
    const { claims, signer } = read;
    if (typeof claims.sub !== "string" || claims.sub === "") return undefined;
    return { ...claims, exp: Math.min(claims.exp, signer.until) };
  }

  /** Returns the claims of an order that is signed with the current key and has not expired; `undefined` for any other, also for a user's ticket. */
  orderOf(token) {
    const { claims, signer } = this.#read(token) ?? {};
    const isValid = claims !== undefined && signer === this.#keys[0] && claims.exp > Date.now() / 1000;
    return isValid && claims.sub === undefined ? claims : undefined;
  }

  /**
   * Replaces the current key by that of an order: a JWT signed with the current key, with the claims `nextKey` and `until`, when tickets of
   * the former key expire. A repeated order is accepted.
   *
   * @returns the environment variables of the keys; `undefined` when the order is invalid
   */
  replaceKey(order) {
    const { claims, signer } = this.#read(order) ?? {};
    if (claims === undefined || !(claims.exp > Date.now() / 1000) || !Number.isInteger(claims.until)) return undefined;
    const { nextKey, until } = claims;
    const [current] = this.#keys;
    if (nextKey !== current.x) {
      if (signer !== current || !/^[\w-]{43}$/.test(nextKey)) return undefined;
      this.#keys = [
        { x: nextKey, key: publicKey(nextKey), until: Number.POSITIVE_INFINITY },
        { ...current, until },
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
