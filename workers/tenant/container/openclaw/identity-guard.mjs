/**
 * Preloaded into OpenClaw: lets nobody be a user but whom the tenant's Worker vouches for. OpenClaw takes who asks from headers that
 * whatever runs beside it could set as well; so every such header is removed, and set anew by a ticket that only the Worker can sign.
 * A request without one is what it is: a program of this container, with whatever OpenClaw grants those.
 * It also carries out orders of the Worker that replace the key of tickets (`ticket-key-order.mjs`).
 *
 * Environment: GATEWAY_PORT; TENANT_ORIGIN; what `tickets.mjs` reads.
 */
import { Server } from "node:http";
import { BlockList, isIP } from "node:net";
import { join } from "node:path";
import { answerTicketKeyOrder, isTicketKeyOrder } from "../ticket-key-order.mjs";
import { Tickets } from "../tickets.mjs";
import { CONFIG_FILE } from "./config-file.mjs";
import { Operators } from "./operators.mjs";
import { directories } from "./paths.mjs";
import { OPERATOR_SCOPES, USER_SCOPES, WITHIN } from "./platform-config.mjs";
import { NOWHERE, tell } from "./told-headers.mjs";

const TICKET_HEADER = "x-platform-ticket";
const ADDRESS_HEADER = "x-platform-address";
/** What says who asks, from where, and with which rights. */
const TOLD = /^(?:x-platform-.*|x-openclaw-scopes|forwarded|x-forwarded-.*|x-real-ip|cf-access-.*)$/;
const MOST_TICKETS = 1_000;

const { GATEWAY_PORT: port = "18789", TENANT_ORIGIN: origin } = process.env;
/** By which users reach the tenant. */
const scheme = origin?.startsWith("http:") ? "http" : "https";
const tickets = new Tickets(process.env);
const operators = new Operators(join(directories(process.env).state, CONFIG_FILE));
/** Claims of the tickets that were verified. */
const verified = new Map();

/** The claims of a ticket that the Worker signed and that is good now; `undefined` for any other. */
export function claimsOf(ticket) {
  let claims = verified.get(ticket);
  if (claims === undefined) {
    claims = tickets.claimsOf(ticket);
    if (claims === undefined) return undefined;
    if (verified.size >= MOST_TICKETS) verified.delete(verified.keys().next().value);
    verified.set(ticket, claims);
  }
  return claims.exp > Date.now() / 1000 ? claims : undefined;
}

/** Replaces what a request says of who asks by what its ticket says. */
export function guard(request) {
  // Read first: they are made of the raw ones when they are first asked for.
  const { headers } = request;
  void request.headersDistinct;
  const ticket = headers[TICKET_HEADER];
  const address = headers[ADDRESS_HEADER];
  const claims = typeof ticket === "string" ? claimsOf(ticket) : undefined;
  const isTold = (name) => TOLD.test(name) || (claims !== undefined && name === "authorization");
  for (const name of Object.keys(headers)) if (isTold(name)) delete headers[name];
  for (const name of Object.keys(request.headersDistinct)) if (isTold(name)) delete request.headersDistinct[name];
  const raw = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    if (!isTold(request.rawHeaders[index].toLowerCase()))
      raw.push(request.rawHeaders[index], request.rawHeaders[index + 1]);
  request.rawHeaders = raw;
  if (claims === undefined) return;
  const { sub: user, role } = claims;
  const isOperator = role === "ADMIN" || role === "ROOT";
  if (isOperator) operators.admit(user);
  const scopes = isOperator ? OPERATOR_SCOPES : USER_SCOPES;
  tell(request, { user, role, scopes, address: isClient(address) ? address : NOWHERE, scheme });
}

const within = new BlockList();
for (const range of WITHIN) {
  const [network = "", prefix] = range.split("/");
  within.addSubnet(network, Number(prefix), isIP(network) === 6 ? "ipv6" : "ipv4");
}

/** Whether OpenClaw takes an address for a client's, and not for a proxy's on the way. */
function isClient(address) {
  const version = typeof address === "string" ? isIP(address) : 0;
  return version !== 0 && !within.check(address, version === 6 ? "ipv6" : "ipv4");
}

const GUARDED = new Set(["request", "upgrade", "checkContinue", "checkExpectation", "connect"]);
const { emit } = Server.prototype;

Server.prototype.emit = function emitGuarded(event, ...parameters) {
  if (GUARDED.has(event) && this.address()?.port === Number(port)) {
    if (event === "request" && isTicketKeyOrder(parameters[0])) {
      const [request, response] = parameters;
      answerTicketKeyOrder(tickets, request, response, () => verified.clear()).catch(() => response.destroy());
      return true;
    }
    try {
      guard(parameters[0]);
    } catch {
      // Unreadable: nobody.
      parameters[0].destroy();
      return true;
    }
  }
  return emit.call(this, event, ...parameters);
};
