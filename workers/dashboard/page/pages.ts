import { html } from "hono/html";
import { isPage } from "#workers/contracts/pages.ts";
import type { Settings } from "../env.ts";
import { withOwnHeaders } from "../http/own-headers.ts";
import type { App, AppContext } from "../variables.ts";

/**
 * Pages load resources from the dashboard, and the health streams of the tenants' hosts.
 *
 * @param port of the dashboard, which tenants' hosts share
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

/** Serves the dashboard. */
export function servePages(app: App, { PLATFORM_DOMAIN: domain }: Settings): void {
  app.get("*", async (c, next) => {
    const url = new URL(c.req.url);
    if (!isPage(url.pathname)) return next();
    // The file has no data, but a user without access gets one error page instead of many failed requests.
    await c.get("caller");
    return servePage(c, { file: "/index.html", domain });
  });
}

interface ServedPage {
  /** Address of the file, relative to the assets. */
  file: `/${string}`;
  domain: string;
  /** Default: the file's. */
  title?: string;
}

/** Returns the file of a web app, which reads all data from the API. */
export async function servePage(c: AppContext, { file, domain, title }: ServedPage): Promise<Response> {
  const url = new URL(c.req.url);
  const found = await c.env.ASSETS.fetch(new URL(file, url));
  const titled = title === undefined ? undefined : String(await html`<title>${title}</title>`);
  const page = new Response(
    titled === undefined ? found.body : (await found.text()).replace(/<title>.*<\/title>/, () => titled),
    {
      status: found.status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        // It refers to files that the next release replaces.
        "cache-control": "no-cache",
        "content-security-policy": policyFor(domain, url.port),
      },
    },
  );
  return withOwnHeaders(c, page);
}
