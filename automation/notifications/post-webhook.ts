/** Posts to a URL of a tenant's user: never to an address that is not of the public internet, also after DNS, and without redirects. */
import { lookup as resolve } from "node:dns/promises";
import { request as httpsRequest, type RequestOptions } from "node:https";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "@tenantry/std/public-address";
import { webhookUrlFault } from "#domain/notifications/webhook-url.ts";
import type { SignedNotification } from "#workers/contracts/api/people/notification-signature.ts";

const ANSWER_MS = 15_000;

export interface PostOutcome {
  /** Undefined without an answer. */
  status?: number;
  /** One sentence, without what the receiver answered. */
  answer: string;
}

export type PostWebhook = (to: SignedNotification, body: string, signal: AbortSignal) => Promise<PostOutcome>;

type Address = { address: string; family: number };

export interface PostOptions {
  answerMs?: number;
  /** Returns all addresses of a host. */
  addressesOf?: (host: string) => Promise<Address[]>;
  isAllowed?: (address: string) => boolean;
  /** Additional certificate authority. */
  ca?: string;
}

class PrivateAddress extends Error {
  override name = "PrivateAddress";
}

export function webhookPoster({
  answerMs = ANSWER_MS,
  addressesOf = (host) => resolve(host, { all: true }),
  isAllowed = isPublicAddress,
  ca,
}: PostOptions = {}): PostWebhook {
  /** The connection uses the addresses that were checked, so that a second answer of the name server cannot replace them. */
  const lookup: LookupFunction = (host, options, found) => {
    addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
          found(new PrivateAddress(host), "");
        } else if (options.all === true) found(null, addresses);
        else found(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => found(error, ""),
    );
  };
  return async ({ url, headers }, body, signal) => {
    const fault = webhookUrlFault(url);
    if (fault !== undefined) return { answer: `The URL of the webhook ${fault}.` };
    const ending = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const length = String(Buffer.byteLength(body));
    const sent = { ...headers, "content-type": "application/json", "content-length": length, "user-agent": "Tenantry" };
    const options = { method: "POST", headers: sent, agent: false, signal: ending, lookup, ca } as const;
    try {
      const status = await post(new URL(url), options, body);
      return { status, answer: `The webhook returned HTTP ${status}.` };
    } catch (error) {
      return { answer: ending.aborted ? "The webhook did not respond in time." : faultOf(error) };
    }
  };
}

/** Does not read the response's body. */
function post(url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((answered, failed) => {
    const request = httpsRequest(url, options, (response) => {
      answered(response.statusCode ?? 0);
      response.destroy();
    });
    request.on("error", failed);
    request.end(body);
  });
}

function faultOf(error: unknown): string {
  if (error instanceof PrivateAddress)
    return "The host of the webhook has an address that is not of the public internet.";
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `The webhook cannot be reached${code}.`;
}
