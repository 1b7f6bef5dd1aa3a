/** Answers of the dispatch Worker's own: a page for people, the coded family for programs. */

import type { GateRefusal } from "../../domain/instance-state.ts";
import { type ErrorCode, errorResponse, errorStatus } from "../contracts/errors.ts";

/** A request that ends here, with what its sender is told. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly code: ErrorCode;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;

  /** @param cause what went wrong, for the log alone */
  constructor(code: ErrorCode, message: string, retryAfter?: number, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

const TITLES: Partial<Record<ErrorCode, string>> = {
  access_denied: "You have no access",
  authentication_required: "Please log in",
  client_not_active: "Not active yet",
  instance_frozen: "Frozen",
  instance_stopped: "Stopped",
  limit_exceeded: "Too much at once",
  tenant_not_found: "Nothing here",
  tenant_unavailable: "Back in a moment",
};

export const gateMessages: Readonly<Record<GateRefusal, string>> = {
  client_not_active: "This tenant is not active; its operator can activate it.",
  instance_frozen:
    "This tenant is frozen; its operator can unfreeze it. Its administrators can take its backups at /api/admin/gateway/backups.",
  instance_stopped: "This tenant is stopped; its operator can start it.",
};

/** The answer to a refused request, in the form its sender reads. */
export function refusalResponse(refusal: Refusal, request: Request): Response {
  const headers: Record<string, string> = { vary: "Accept" };
  if (refusal.retryAfter !== undefined) headers["retry-after"] = String(Math.ceil(refusal.retryAfter));
  if (refusal.code === "authentication_required") headers["www-authenticate"] = "Cloudflare-Access";
  if (!request.headers.get("accept")?.includes("text/html")) {
    return errorResponse(refusal.code, refusal.message, { headers });
  }
  return new Response(page(TITLES[refusal.code] ?? "Something went wrong", refusal.message), {
    status: errorStatus[refusal.code],
    headers: {
      ...headers,
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
    },
  });
}

function page(title: string, message: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 30rem; margin: 20vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.5rem; margin: 0 0 0.5rem; }
  p { margin: 0; opacity: 0.8; }
</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
