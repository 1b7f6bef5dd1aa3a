/**
 * Leads a tenant's user to the console, on the dashboard's host, and gives programs with a service token a session there. Pages there have another
 * origin than the gateway, whose scripts could otherwise act for the user; and they cannot read where a redirect leads.
 */
import { CONSOLE_ENTRY, CONSOLE_PATH, PROGRAM_SESSION } from "#domain/access/access-addresses.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { dashboardHostname } from "#domain/names/hostnames.ts";
import { sealProgramTicket, sealTicket } from "#workers/shared/access/console-ticket.ts";
import type { Settings } from "../env.ts";
import type { AdmittedUser } from "../identity/admitted.ts";
import { refusal } from "../refusal.ts";

interface Entering {
  url: URL;
  slug: string;
  user: AdmittedUser;
  settings: Settings;
}

interface Served {
  /** As logged. */
  outcome: string;
  response: Response;
}

/** @throws Refusal for another path or method, and for who may not enter */
export async function serveConsole(request: Request, entering: Entering): Promise<Served> {
  const { pathname } = entering.url;
  const isEntry = pathname === CONSOLE_ENTRY || `${pathname}/` === CONSOLE_ENTRY;
  if (isEntry && request.method === "GET") {
    return { outcome: "console_entered", response: await redirect(request, entering) };
  }
  if (pathname === PROGRAM_SESSION && request.method === "POST") {
    return { outcome: "console_session_given", response: await programSession(request, entering) };
  }
  throw refusal(trafficErrors.path_reserved);
}

/** @throws Refusal for a script or a service token */
async function redirect({ headers }: Request, entering: Entering): Promise<Response> {
  const { slug, user } = entering;
  if (user.service !== undefined) throw refusal(trafficErrors.console_requires_person);
  if (isBrowser(headers) && headers.get("sec-fetch-mode") !== "navigate") {
    throw refusal(trafficErrors.console_requires_navigation);
  }
  const ticket = await sealTicket(keysOf(entering), { use: "entry", slug }, user.email);
  const location = `${consoleUrl(entering)}/enter?ticket=${ticket}`;
  return new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

/** @throws Refusal for a person, a browser, or a service token that is of no user */
async function programSession({ headers }: Request, entering: Entering): Promise<Response> {
  const { slug, user } = entering;
  const { email, service } = user;
  if (service === undefined) throw refusal(trafficErrors.console_session_requires_token);
  if (isBrowser(headers) || headers.has("origin")) throw refusal(trafficErrors.console_session_requires_program);
  const { clientId, expiresAt: until } = service;
  if (email === clientId) throw refusal(trafficErrors.console_session_requires_user);
  const { token, expiresAt } = await sealProgramTicket(keysOf(entering), {
    slug,
    email,
    serviceToken: clientId,
    until,
  });
  const body = { token, expires_at: new Date(expiresAt).toISOString(), api_url: `${consoleUrl(entering)}/api` };
  return Response.json(body, { headers: { "cache-control": "no-store" } });
}

/** Programs do not send the site, and browsers always do. */
const isBrowser = (headers: Headers) => headers.has("sec-fetch-site");

const keysOf = ({ settings: { DOORS_KEY: used, OTHER_DOORS_KEY: other } }: Entering) => ({ used, other });

function consoleUrl({ url, slug, settings: { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } }: Entering): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${url.protocol}//${dashboardHostname(environment, domain)}${port}${CONSOLE_PATH}/${slug}`;
}
