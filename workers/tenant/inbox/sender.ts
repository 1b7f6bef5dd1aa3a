/** Sends a message to the gateway, and judges the response. */

import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import { DURABLE_HEADER, DURABLE_VALUE } from "#workers/contracts/tenant/inbox.ts";
import { isInterrupted } from "#workers/shared/object-calls.ts";
import { ResponseTimeout, respondWithin } from "../gateway/response-limit.ts";
import { PortClosed, type SandboxPort } from "../sandbox/port.ts";
import type { InboxBodies } from "./bodies.ts";
import type { Outcome } from "./outcome.ts";
import { deliveryKeyOf, deliveryRequest } from "./request.ts";
import type { MessageRow, StoredFailure } from "./rows.ts";
import type { InboxStore } from "./store.ts";
import { attemptsFor, targetOf } from "./targets.ts";

/** Time limit for the gateway's response. OpenClaw accepts before it processes a message. */
const RESPONSE_MS = 60_000;

export interface SenderOptions {
  sandbox: Pick<SandboxPort, "fetch">;
  store: Pick<InboxStore, "content">;
  bodies: Pick<InboxBodies, "read">;
  /** The tenant's origin. */
  origin: string;
  gatewayToken: string;
  /** Whether a start or a restart of the gateway is in progress. */
  isGatewayBusy: () => boolean;
}

export class Sender {
  readonly #o: SenderOptions;
  #key: Promise<string> | undefined;

  constructor(options: SenderOptions) {
    this.#o = options;
  }

  /** Makes one attempt. Does not reject for a failure of the gateway or the sandbox. */
  async send(message: MessageRow): Promise<Outcome> {
    const content = this.#o.store.content(message.seq);
    const body = content && (await this.#o.bodies.read(content.body));
    if (content === undefined || body === undefined) return failed({ reason: "body-lost" }, 1);
    this.#key ??= deliveryKeyOf(this.#o.gatewayToken);
    const { sandbox, origin } = this.#o;
    const delivery = { message, request: content.request, body };
    const request = await deliveryRequest(delivery, { origin, deliveryKey: await this.#key, now: Date.now() });
    try {
      const response = await respondWithin(RESPONSE_MS, request, (sent) => sandbox.fetch(sent, GATEWAY_PORT));
      await response.body?.cancel().catch(() => {});
      return outcomeOf(message.kind, response);
    } catch (error) {
      if (error instanceof PortClosed) return { outcome: "unreachable" };
      if (isInterrupted(error) || this.#o.isGatewayBusy()) return { outcome: "unreachable", isBroken: true };
      return failed({ reason: error instanceof ResponseTimeout ? "timeout" : "connection" });
    }
  }
}

function outcomeOf(kind: string, { ok, status, headers }: Response): Outcome {
  if (!ok) return failed({ reason: "status", status }, attemptsFor(status), retryAfterMs(headers));
  if (!targetOf(kind).isDurable || headers.get(DURABLE_HEADER) === DURABLE_VALUE) return { outcome: "accepted" };
  return failed({ reason: "not-durable", status });
}

function failed(failure: StoredFailure, maxAttempts = Number.POSITIVE_INFINITY, retryMs = 0): Outcome {
  return { outcome: "failed", failure, maxAttempts, retryAfterMs: retryMs };
}

/** Returns the response's `Retry-After` in milliseconds; 0 without one in seconds. */
function retryAfterMs(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? 0);
  return seconds > 0 ? seconds * 1000 : 0;
}
