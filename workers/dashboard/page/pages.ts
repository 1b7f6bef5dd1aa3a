/** Serves the dashboard's pages to who is logged in: one file, which reads all that it shows from the API. */
import { isPage } from "#workers/contracts/pages.ts";
import type { Settings } from "../env.ts";
import { withOwnHeaders } from "../http/own-headers.ts";
import type { App } from "../variables.ts";

/**
 * Everything that a page may load is its own, but for the health of tenants, which each tenant's host streams.
 *
 * @param port of the dashboard's own address, which tenants' hosts share
 */
function policyFor(domain: string, port: string): string {
  const tenants = port === "" ? `*.${domain}` : `*.${domain}:${port}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' wss://${tenants} ws://${tenants}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function servePages(app: App, { PLATFORM_DOMAIN: domain }: Settings): void {
  app.get("*", async (c, next) => {
    const url = new URL(c.req.url);
    if (!isPage(url.pathname)) return next();
    // Nothing of the platform is in it; but who is nobody here is told so, and not by every part of the page.
    await c.get("caller");
    const file = await c.env.ASSETS.fetch(new URL("/index.html", url));
    const page = new Response(file.body, {
      status: file.status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        // It names files that go with the next release.
        "cache-control": "no-cache",
        "content-security-policy": policyFor(domain, url.port),
      },
    });
    return withOwnHeaders(c, page);
  });
}
