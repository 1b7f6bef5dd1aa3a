/**
 * Whether a message ends the gateway. An attempt is stored with its gateway; when that ended without an order before the next attempt, the message is a
 * suspect. A suspect is delivered while no other message is, so that only its own crashes count.
 */
import { failureOf, type MessageRow, type StoredFailure } from "./rows.ts";

/** Attempts of a suspect that end the gateway until the message is dead: as many as retries of developers.cloudflare.com/queues/configuration/batching-retries/. */
export const MAX_CRASHES = 3;

export interface PastCrashes {
  isSuspect: boolean;
  /** Attempts in sequence that ended the gateway while no other message was delivered. */
  count: number;
}

/** As `GatewayEnds`. */
export interface KnownGateway {
  readonly running: string | undefined;
  hasEnded(gateway: string, since: number): Promise<boolean>;
}

/** Returns the crashes at earlier attempts of a message. */
export async function pastCrashes(message: MessageRow, gateway: KnownGateway): Promise<PastCrashes> {
  const attempt = failureOf(message)?.attempt;
  const isSuspect = attempt !== undefined && (await gateway.hasEnded(attempt.gateway, attempt.at));
  return { isSuspect, count: isSuspect ? attempt.crashes + (attempt.isAlone ? 1 : 0) : 0 };
}

/** Returns a failure with its attempt, if it may be that of a gateway that ended. @param at when the attempt began */
export function withAttempt(
  failure: StoredFailure,
  { isSuspect, count }: PastCrashes,
  { gateway, at }: { gateway: string | undefined; at: number },
): StoredFailure {
  const isAnswer = failure.reason === "status" && (failure.status ?? 0) < 500;
  if (gateway === undefined || isAnswer || failure.reason === "not-durable" || failure.reason === "body-lost")
    return failure;
  return { ...failure, attempt: { gateway, at, isAlone: isSuspect, crashes: count } };
}
