/** Serves the console, for users of a tenant who logged in at the tenant. */
import { CONSOLE_ENTRY, CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { isSlug } from "#domain/names/slug.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import { type ConsolePage, consolePages, formerConsolePages } from "#workers/contracts/pages.ts";
import type { Settings } from "../env.ts";
import { failure } from "../http/failure.tsx";
import { requireConsoleUser } from "../identity/tenant-user.ts";
import { servePage } from "../page/pages.ts";
import { tenantUrl } from "../page/tenant-url.ts";
import type { App, AppContext } from "../variables.ts";
import { endedSessionCookie, enteringUser, sessionCookie, sessionUser } from "./session.ts";
import { wantedPage, wantedPageCookie } from "./wanted-page.ts";

/** In the query after an entry, so that a browser without cookies is not redirected forever. */
const ENTERED = "entered";
const LOG_OUT_PATH = "/cdn-cgi/access/logout";

export function serveConsole(app: App, settings: Settings): void {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  const tenantOf = (c: AppContext) => tenantUrl(slugOf(c), environment, { url: new URL(c.req.url), domain });

  app.get(`${CONSOLE_PATH}/:slug/enter`, async (c) => {
    const slug = slugOf(c);
    const login = await enteringUser(settings, slug, c.req.query("ticket") ?? "");
    if (login === undefined) throw failure(consoleErrors.console_session_missing);
    c.header("set-cookie", await sessionCookie(settings, slug, login, c.req.url));
    return c.redirect(`${CONSOLE_PATH}/${slug}/${wantedPage(c.req.raw)}?${ENTERED}`, 303);
  });

  app.get(`${CONSOLE_PATH}/:slug/leave`, (c) => {
    c.header("set-cookie", endedSessionCookie(slugOf(c), c.req.url));
    return c.redirect(new URL(LOG_OUT_PATH, tenantOf(c)).href, 303);
  });

  for (const [former, page] of Object.entries(formerConsolePages)) {
    app.get(`${CONSOLE_PATH}/:slug/${former}`, (c) => c.redirect(`${CONSOLE_PATH}/${slugOf(c)}/${page}`, 303));
  }

  const serve = (page: ConsolePage) => async (c: AppContext) => {
    const slug = slugOf(c);
    const login = await sessionUser(settings, slug, c.req.raw);
    if (login === undefined) {
      if (c.req.query(ENTERED) !== undefined) throw failure(consoleErrors.console_cookie_missing);
      c.header("set-cookie", wantedPageCookie(page, c.req.url));
      return c.redirect(new URL(CONSOLE_ENTRY, tenantOf(c)).href, 303);
    }
    // The file has no data, but a user without access gets one error page instead of many failed requests.
    const { partner } = await requireConsoleUser(c.get("connection").db, { slug, ...login });
    return servePage(c, { file: "/console.html", domain, title: brandOf(partner).name });
  };
  for (const page of consolePages) app.get(`${CONSOLE_PATH}/:slug/${page}`, serve(page));
  app.get(`${CONSOLE_PATH}/:slug`, serve(""));
}

/** @throws Failure `not_found` */
function slugOf(c: AppContext): string {
  const slug = c.req.param("slug") ?? "";
  if (!isSlug(slug)) throw failure(requestErrors.address_not_found);
  return slug;
}
