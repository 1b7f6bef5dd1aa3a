/** Public pages over HTTP: for whom they are, and under what policy. */
import type { HtmlEscapedString } from "hono/utils/html";
import { LOGOS_PATH } from "#domain/access/access-addresses.ts";
import type { Brand } from "#workers/contracts/brand.ts";

/** Whether a person reads the answer; programs get the coded family of errors. */
export function isForPeople(headers: Headers): boolean {
  return headers.get("accept")?.includes("text/html") ?? false;
}

export interface PageOptions {
  status: number;
  /** Whose logo it shows: a URL, as from its host alone images come. */
  brand: Brand;
  headers?: Readonly<Record<string, string>>;
  /** The host's own pages may have it in a frame. Default: none may */
  isFramed?: boolean;
  /** Runs a script, which calls its own host alone. Default: none */
  hasScript?: boolean;
  /** Leaves the body out. */
  isHead?: boolean;
}

/** @param page as it is with a nonce */
export async function pageAnswer(
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
