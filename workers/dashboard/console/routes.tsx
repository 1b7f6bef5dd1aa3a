/** Pages of the console, for users of a tenant who logged in at the tenant. */
import { CONSOLE_ENTRY, CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { serviceTokenErrors } from "#domain/errors/api/service-tokens.ts";
import { isSlug } from "#domain/names/slug.ts";
import { brandOf } from "#workers/contracts/brand.ts";
import { pageResponse } from "#workers/shared/page/answer.ts";
import type { Settings } from "../env.ts";
import { failure } from "../http/failure.tsx";
import { withOwnHeaders } from "../http/own-headers.ts";
import { tenantUrl } from "../page/tenant-url.ts";
import type { App, AppContext } from "../variables.ts";
import { TokensPage } from "./tokens/page.tsx";
import { enteringUser, sessionCookie, sessionUser } from "./session.ts";
import { findTokens } from "./tokens/tokens.ts";

/** In the query after an entry, so that a browser without cookies is not redirected forever. */
const ENTERED = "entered";

export function serveConsole(app: App, settings: Settings): void {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;

  app.get(`${CONSOLE_PATH}/:slug/enter`, async (c) => {
    const slug = slugOf(c);
    const email = await enteringUser(settings, slug, c.req.query("ticket") ?? "");
    if (email === undefined) throw failure(serviceTokenErrors.console_session_missing);
    c.header("set-cookie", await sessionCookie(settings, slug, email, c.req.url));
    return c.redirect(`${CONSOLE_PATH}/${slug}/?${ENTERED}`, 303);
  });

  app.get(`${CONSOLE_PATH}/:slug/`, async (c) => {
    const slug = slugOf(c);
    const url = new URL(c.req.url);
    const tenant = tenantUrl(slug, environment, { url, domain });
    const email = await sessionUser(settings, slug, c.req.raw);
    if (email === undefined) {
      if (c.req.query(ENTERED) !== undefined) throw failure(serviceTokenErrors.console_cookie_missing);
      return c.redirect(new URL(CONSOLE_ENTRY, tenant).href, 303);
    }
    const found = await findTokens(c.get("connection").db, { slug, email });
    const brand = brandOf(found.partner, url.origin);
    const canCreate = settings.SERVICE_ACCESS && environment !== "staging";
    const path = `${CONSOLE_PATH}/${slug}/tokens`;
    const page = await pageResponse(
      (nonce) => <TokensPage {...{ found, email, tenant, path, canCreate, brand, nonce }} />,
      { status: 200, brand, hasScript: true },
    );
    return withOwnHeaders(c, page);
  });
}

/** @throws Failure `not_found` */
function slugOf(c: AppContext): string {
  const slug = c.req.param("slug") ?? "";
  if (!isSlug(slug)) throw failure(requestErrors.address_not_found);
  return slug;
}
