/**
 * Tickets by which the tenant's Worker vouches for users.
 *
 * Environment: TICKET_KEY, the Worker's public key (Ed25519, raw, base64url); FORMER_TICKET_KEY, the key before it and, after a point,
 * until when its tickets are good (seconds since the epoch); TENANT_SLUG, whom tickets are for.
 */
import { createPublicKey, verify } from "node:crypto";

export class Tickets {
  #keys;
  #tenant;

  constructor({ TICKET_KEY: key, FORMER_TICKET_KEY: former = "", TENANT_SLUG: tenant }) {
    const [formerKey, until] = former.split(".");
    this.#keys = [
      [key, Number.POSITIVE_INFINITY],
      [formerKey, Number(until)],
    ].flatMap(([x, until]) => (x ? [{ key: publicKey(x), until }] : []));
    this.#tenant = tenant;
  }

  /** The claims of a ticket that the Worker signed, whether or not it is good now; `exp` is never later than its key is good. `undefined` for any other. */
  claimsOf(ticket) {
    const [header = "", payload = "", signature = "", ...more] = ticket.split(".");
    if (more.length > 0) return undefined;
    const signed = Buffer.from(`${header}.${payload}`);
    const signer = this.#keys.find(({ key }) => verify(null, signed, key, Buffer.from(signature, "base64url")));
    if (signer === undefined) return undefined;
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    if (claims.aud !== this.#tenant || typeof claims.sub !== "string" || claims.sub === "") return undefined;
    return { ...claims, exp: Math.min(claims.exp, signer.until) };
  }
}

const publicKey = (x) => createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
