/** Responses of the dispatch Worker itself: a page for people, JSON for programs. */

import type { ValuesArgument } from "#domain/errors/catalogue.ts";
import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import { type HttpError, type StatedArguments, type StatedError, stateError } from "#domain/errors/stated.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import type { GateRefusal } from "#domain/tenants/instance-state.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import { statedResponse } from "#workers/contracts/errors.ts";
import { acceptsHtml, pageResponse } from "#workers/shared/page/answer.ts";
import { refusalPage } from "./refusal-page.tsx";

interface RefusalOptions {
  /** Seconds. */
  retryAfter?: number;
  /** For the log only. */
  cause?: unknown;
}

export class Refusal extends Error implements StatedError {
  override name = "Refusal";
  readonly code: ErrorCode;
  readonly reason: string;
  readonly retryAfter: number | undefined;

  constructor({ code, reason, message }: StatedError, { retryAfter, cause }: RefusalOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** Returns the refusal for an error of the catalogue. */
export const refusal = <E extends HttpError>(
  entry: E,
  ...[values, options]: StatedArguments<E, RefusalOptions>
): Refusal => new Refusal(stateError(entry, ...([values] as ValuesArgument<E>)), options);

const GATE_ERRORS = {
  client_not_active: trafficErrors.client_not_activated,
  instance_frozen: trafficErrors.tenant_frozen,
  instance_stopped: trafficErrors.tenant_stopped,
} as const satisfies Readonly<Record<GateRefusal, HttpError>>;

export const refusalOfGate = (gate: GateRefusal): Refusal => refusal(GATE_ERRORS[gate]);

export async function refusalResponse(
  refused: Refusal,
  request: Request,
  { brand, user }: { brand: Brand; user?: string | undefined },
): Promise<Response> {
  const { code, message, retryAfter } = refused;
  const wait = retryAfter === undefined ? undefined : Math.ceil(retryAfter);
  const headers: Record<string, string> = { vary: "Accept" };
  if (wait !== undefined) headers["retry-after"] = String(wait);
  if (code === "authentication_required") headers["www-authenticate"] = "Cloudflare-Access";
  if (!acceptsHtml(request.headers)) return statedResponse(refused, { headers });
  const host = URL.parse(request.url)?.host;
  return pageResponse((nonce) => refusalPage({ code, message, wait, host, brand, user, nonce }), {
    status: errorCodes[code].status,
    brand,
    headers,
  });
}
