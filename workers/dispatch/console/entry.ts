/**
 * Leads a tenant's user to the console, on the dashboard's host. Pages there have another origin than the gateway, whose scripts could otherwise act
 * for the user; and they cannot read where a redirect leads.
 */
import { CONSOLE_ENTRY, CONSOLE_PATH } from "#domain/access/access-addresses.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import { sealTicket } from "#workers/shared/access/console-ticket.ts";
import type { Settings } from "../env.ts";
import type { AdmittedUser } from "../identity/admitted.ts";
import { refusal } from "../refusal.ts";

/** @throws Refusal for another path or method, a script, or a service token */
export async function enterConsole(
  { method, headers }: Request,
  { url, slug, user, settings }: { url: URL; slug: string; user: AdmittedUser; settings: Settings },
): Promise<Response> {
  const isEntry = url.pathname === CONSOLE_ENTRY || `${url.pathname}/` === CONSOLE_ENTRY;
  if (!isEntry || method !== "GET") throw refusal(trafficErrors.path_reserved);
  if (user.service !== undefined) throw refusal(trafficErrors.console_requires_person);
  // Programs do not send the site, and browsers always do.
  const isBrowser = headers.has("sec-fetch-site");
  if (isBrowser && headers.get("sec-fetch-mode") !== "navigate") {
    throw refusal(trafficErrors.console_requires_navigation);
  }
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain, DOORS_KEY: used, OTHER_DOORS_KEY: other } = settings;
  const port = url.port === "" ? "" : `:${url.port}`;
  const ticket = await sealTicket({ used, other }, { use: "entry", slug }, user.email);
  return new Response(null, {
    status: 303,
    headers: {
      location: `${url.protocol}//${dashboardHostname(environment, domain)}${port}${CONSOLE_PATH}/${slug}/enter?ticket=${ticket}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}
