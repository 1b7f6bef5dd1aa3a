import type { HtmlEscapedString } from "hono/utils/html";
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";
import type { Brand } from "#workers/contracts/brand.ts";

/** Whether a browser sent the request. Programs receive JSON errors. */
export function acceptsHtml(headers: Headers): boolean {
  return headers.get("accept")?.includes("text/html") ?? false;
}

export interface PageOptions {
  status: number;
  /** The policy allows images from its logo's host only. */
  brand: Brand;
  headers?: Readonly<Record<string, string>>;
  /** Pages of the same origin may frame it. Default: false. */
  isFramed?: boolean;
  /** Allows a script, with requests to its own origin. Default: false. */
  hasScript?: boolean;
  isHead?: boolean;
}

export async function pageResponse(
  page: (nonce: string) => HtmlEscapedString | Promise<HtmlEscapedString>,
  { status, brand, headers, isFramed = false, hasScript = false, isHead = false }: PageOptions,
): Promise<Response> {
  const nonce = crypto.randomUUID();
  const body = isHead ? null : await (await page(nonce)).toString();
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(hasScript ? [`script-src 'nonce-${nonce}'`, "connect-src 'self'"] : []),
    ...(brand.logo === undefined ? [] : [`img-src ${new URL(brand.logo).origin}${LOGOS_PATH}/`]),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ];
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policy.join("; "),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
