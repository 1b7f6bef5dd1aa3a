/** Passes requests to the gateway. While the gateway is not ready, responds in its place. */
import type { ValuesArgument } from "#domain/errors/catalogue.ts";
import { type HttpError, stateError } from "#domain/errors/stated.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { errorResponse, statedResponse } from "#workers/contracts/errors.ts";
import {
  ADDRESS_HEADER,
  ADMITTED_AT_HEADER,
  BRAND_HEADER,
  CUT_AT_HEADER,
  decodeUser,
  ROLE_HEADER,
  TICKET_HEADER,
  timeIn,
  USER_HEADER,
} from "#workers/contracts/platform-headers.ts";
import { type Role, role } from "#workers/contracts/roles.ts";
import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import { removeAccess } from "#workers/shared/access/tokens.ts";
import { AdmittedBeforeCut, PortClosed, type SandboxPort } from "../sandbox/port.ts";
import { cutResponse } from "./last-cut.ts";
import { failureResponse, loadingResponse, wantsPage } from "./pages.tsx";
import type { ReadyMark } from "./ready-mark.ts";
import { RESPONSE_TIMEOUT_MS, ResponseTimeout, respondWithin } from "./response-limit.ts";

const REMOVED_HEADERS = [
  // A gateway without trusted proxies rejects requests with these.
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
  "via",
  // workerd takes the gateway's interim response for its final one.
  "expect",
  BRAND_HEADER,
];

export interface ProxyOptions {
  /** The sandbox of this request. */
  sandbox: SandboxPort;
  readyMark: ReadyMark;
  /** As in `SupervisorCalls`. */
  admit: (admittedAt: number | undefined) => Promise<boolean | { cutAt: number }>;
  /** The gateway's token. */
  token: string;
  /** Creates a ticket that identifies a user to the gateway. */
  ticketOf: (email: string, role: Role) => Promise<string>;
  /** Time limit for the start of the response, in milliseconds. Default: {@link RESPONSE_TIMEOUT_MS} */
  timeoutMs?: number | undefined;
}

/**
 * Returns the request's headers for the gateway: with its token and a ticket of the user, and without credentials that would let it act as
 * the user elsewhere. Other `X-Platform-*` headers stay as the dispatch Worker set them.
 */
async function gatewayHeaders(request: Request, { token, ticketOf }: ProxyOptions): Promise<Headers> {
  const headers = new Headers(request.headers);
  const address = headers.get("cf-connecting-ip");
  for (const name of REMOVED_HEADERS) headers.delete(name);
  headers.set("authorization", `Bearer ${token}`);
  removeAccess(headers);
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  const user = headers.get(USER_HEADER);
  const userRole = role.safeParse(headers.get(ROLE_HEADER));
  if (user !== null && userRole.success) headers.set(TICKET_HEADER, await ticketOf(decodeUser(user), userRole.data));
  return headers;
}

export async function proxyToGateway(request: Request, options: ProxyOptions): Promise<Response> {
  const { sandbox, readyMark, timeoutMs = RESPONSE_TIMEOUT_MS } = options;
  const admitted = await isAdmitted(request, options);
  if (admitted !== true) return refusedResponse(request, admitted);
  try {
    const headers = await gatewayHeaders(request, options);
    const passed = new Request(request, { headers, redirect: "manual" });
    return withoutCut(await respondWithin(timeoutMs, passed, (sent) => sandbox.fetch(sent, GATEWAY_PORT)));
  } catch (error) {
    if (error instanceof AdmittedBeforeCut) return refusedResponse(request, error);
    readyMark.clear();
    if (error instanceof ResponseTimeout)
      return errorOrPage(request, workerErrors.gateway_response_late, { seconds: timeoutMs / 1000 });
    if (error instanceof PortClosed) {
      // Starts a stopped gateway before the client retries.
      const later = await isAdmitted(request, options);
      return refusedResponse(request, later === true ? false : later);
    }
    return errorOrPage(request, workerErrors.gateway_connection_closed);
  }
}

async function isAdmitted(
  { headers }: Request,
  { readyMark, admit }: ProxyOptions,
): Promise<boolean | { cutAt: number }> {
  if (readyMark.isSet) return true;
  const admitted = await admit(timeIn(headers, ADMITTED_AT_HEADER));
  if (admitted === true) readyMark.set();
  return admitted;
}

/** Only this Worker may say that a request was admitted before the last cut. */
function withoutCut(response: Response): Response {
  if (!response.headers.has(CUT_AT_HEADER)) return response;
  const { body, status, statusText, webSocket } = response;
  const headers = new Headers(response.headers);
  headers.delete(CUT_AT_HEADER);
  return new Response(body, { status, statusText, headers, webSocket });
}

function refusedResponse(request: Request, refused: false | { cutAt: number }): Response | Promise<Response> {
  if (refused !== false) return cutResponse(refused.cutAt);
  if (wantsPage(request)) return loadingResponse(request);
  return errorResponse(workerErrors.gateway_not_started, {}, { headers: { "retry-after": "2" } });
}

function errorOrPage<E extends HttpError>(
  request: Request,
  entry: E,
  ...values: ValuesArgument<E>
): Response | Promise<Response> {
  const stated = stateError(entry, ...values);
  return wantsPage(request) ? failureResponse(request, stated) : statedResponse(stated);
}
