/** Session tokens (JWT, HS256) for uploading files and for a completed upload. */
import { createHmac, randomBytes } from "node:crypto";
import { equalSecrets } from "@tenantry/std/same-secret";
import * as z from "zod";

const HEADER = encodeJwtPart({ alg: "HS256", typ: "JWT" });

const claims = z.object({
  sub: z.string(),
  use: z.enum(["upload", "completion"]),
  /** Seconds since the epoch. */
  exp: z.number(),
});
export type AssetClaims = z.infer<typeof claims>;

function encodeJwtPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** The key lives as long as the process. */
export class AssetTokens {
  readonly #key = randomBytes(32);

  sign(given: AssetClaims): string {
    const signed = `${HEADER}.${encodeJwtPart(given)}`;
    return `${signed}.${this.#signature(signed)}`;
  }

  /** @returns undefined for an invalid or expired token @param now milliseconds since the epoch */
  read(token: string, now: number): AssetClaims | undefined {
    const [header = "", payload = "", signature = ""] = token.split(".");
    if (!equalSecrets(signature, this.#signature(`${header}.${payload}`))) return undefined;
    const read = claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    return read.exp * 1000 > now ? read : undefined;
  }

  #signature(signed: string): string {
    return createHmac("sha256", this.#key).update(signed).digest("base64url");
  }
}
