/** Responses of the dispatch Worker itself: a page for people, JSON for programs. */

import { type ErrorCode, errorCodes } from "#domain/errors/codes.ts";
import type { GateRefusal } from "#domain/tenants/instance-state.ts";
import type { Brand } from "#workers/contracts/brand.ts";
import { errorResponse } from "#workers/contracts/errors.ts";
import { acceptsHtml, pageResponse } from "#workers/shared/page/answer.ts";
import { refusalPage } from "./refusal-page.tsx";

export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;

  /** @param cause for the log only */
  constructor(code: ErrorCode, message: string, retryAfter?: number, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const gateMessages: Readonly<Record<GateRefusal, string>> = {
  client_not_active: "This tenant is not active. Its operator can activate it.",
  instance_frozen:
    "This tenant is frozen. Its operator can unfreeze it. Its administrators can download its backups at /api/admin/gateway/backups.",
  instance_stopped: "This tenant is stopped. Its operator can start it.",
};

export async function refusalResponse(
  refusal: Refusal,
  request: Request,
  { brand, user }: { brand: Brand; user?: string | undefined },
): Promise<Response> {
  const { code, message, retryAfter } = refusal;
  const wait = retryAfter === undefined ? undefined : Math.ceil(retryAfter);
  const headers: Record<string, string> = { vary: "Accept" };
  if (wait !== undefined) headers["retry-after"] = String(wait);
  if (code === "authentication_required") headers["www-authenticate"] = "Cloudflare-Access";
  if (!acceptsHtml(request.headers)) return errorResponse(code, message, { headers });
  const host = URL.parse(request.url)?.host;
  return pageResponse((nonce) => refusalPage({ code, message, wait, host, brand, user, nonce }), {
    status: errorCodes[code].status,
    brand,
    headers,
  });
}
