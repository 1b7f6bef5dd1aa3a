/** Pages of the console, for users of a tenant who logged in at the tenant. */
import { CONSOLE_ENTRY, CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { consoleErrors } from "#domain/errors/api/console.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { isSlug } from "#domain/names/slug.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import { pageResponse } from "#workers/shared/page/answer.ts";
import type { Settings } from "../env.ts";
import { failure } from "../http/failure.tsx";
import { withOwnHeaders } from "../http/own-headers.ts";
import { requireTenantUser } from "../identity/tenant-user.ts";
import { tenantUrl } from "../page/tenant-url.ts";
import type { App, AppContext } from "../variables.ts";
import { ConsoleFrame } from "./frame.tsx";
import { consolePages } from "./pages.ts";
import { enteringUser, sessionCookie, sessionUser } from "./session.ts";

/** In the query after an entry, so that a browser without cookies is not redirected forever. */
const ENTERED = "entered";

export function serveConsole(app: App, settings: Settings): void {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;

  app.get(`${CONSOLE_PATH}/:slug/enter`, async (c) => {
    const slug = slugOf(c);
    const email = await enteringUser(settings, slug, c.req.query("ticket") ?? "");
    if (email === undefined) throw failure(consoleErrors.console_session_missing);
    c.header("set-cookie", await sessionCookie(settings, slug, email, c.req.url));
    return c.redirect(`${CONSOLE_PATH}/${slug}/?${ENTERED}`, 303);
  });

  for (const page of consolePages) {
    app.get(`${CONSOLE_PATH}/:slug/${page.path}`, async (c) => {
      const slug = slugOf(c);
      const url = new URL(c.req.url);
      const tenant = tenantUrl(slug, environment, { url, domain });
      const email = await sessionUser(settings, slug, c.req.raw);
      if (email === undefined) {
        if (c.req.query(ENTERED) !== undefined) throw failure(consoleErrors.console_cookie_missing);
        return c.redirect(new URL(CONSOLE_ENTRY, tenant).href, 303);
      }
      const { db } = c.get("connection");
      const person = await requireTenantUser(db, { slug, email }, page.callers);
      const content = await page.load({ db, settings, person, query: c.req.query(), tenant });
      const links = consolePages.filter(({ callers }) => callers.includes(person.role));
      const brand = brandOf(person.partner, url.origin);
      const response = await pageResponse(
        (nonce) => <ConsoleFrame {...content} {...{ person, links, brand, nonce }} current={page} />,
        { status: 200, brand, hasScript: true },
      );
      return withOwnHeaders(c, response);
    });
  }
}

/** @throws Failure `not_found` */
function slugOf(c: AppContext): string {
  const slug = c.req.param("slug") ?? "";
  if (!isSlug(slug)) throw failure(requestErrors.address_not_found);
  return slug;
}
