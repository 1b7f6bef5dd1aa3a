import type { JSONWebKeySet } from "jose";
import type { Acknowledgement } from "./terms.ts";

export interface WebhookRequest {
  method: string;
  /** The path after the webhook's address, without a leading slash. */
  subpath: string;
  query: URLSearchParams;
  headers: Headers;
  /** The raw body. */
  body: Uint8Array<ArrayBuffer>;
}

export type Refusal = "method" | "subpath" | "signature_missing" | "signature_wrong" | "timestamp" | "malformed";

export type Verdict =
  | {
      outcome: "verified";
      /** The vendor's id, the same for each retry. Where there is none, see the package's README. */
      eventId: string;
      /** Events of one conversation have an order. `undefined`: the event has none. */
      conversation: string | undefined;
      /** The response for this event. */
      acknowledgement: Acknowledgement;
    }
  /** A challenge: the response is complete, and there is no event. */
  | ({ outcome: "answered" } & Acknowledgement)
  | { outcome: "refused"; reason: Refusal };

/** Values of the kind's secrets by name. */
export type WebhookSecrets = Readonly<Record<string, string>>;

export interface VerifyOptions {
  /** Milliseconds since 1970. */
  now: number;
  /** Returns the keys of an issuer (JWKS), for `googlechat` and `msteams`. A cache without the key `kid` must fetch them again. */
  keys: (url: string, kid: string) => Promise<JSONWebKeySet>;
}
