/** The page that a user wanted before the login: it leads over the tenant's host, which knows only the console's first page. */
import { parse, serialize } from "hono/utils/cookie";
import { type ConsolePage, consolePages } from "#workers/contracts/pages.ts";
import { isSecureUrl } from "./session.ts";

const NAME = "tenantry-console-page";
/** Enough for a login. */
const SECONDS = 600;

export const wantedPageCookie = (page: ConsolePage, url: string): string =>
  serialize(NAME, page, { path: "/", secure: isSecureUrl(url), httpOnly: true, sameSite: "Lax", maxAge: SECONDS });

/** Returns the console's first page unless the cookie names another. */
export function wantedPage(request: Request): ConsolePage {
  const wanted = parse(request.headers.get("cookie") ?? "", NAME)[NAME];
  return consolePages.find((page) => page === wanted) ?? "";
}
