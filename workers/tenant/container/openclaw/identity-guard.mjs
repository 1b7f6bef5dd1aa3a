/**
 * Preloaded into OpenClaw: sets identity headers from tickets that only the tenant's Worker can sign. OpenClaw trusts these headers, which
 * other programs in the container could set, so all of them are removed first. A request without a ticket comes from such a program, and has
 * the rights that OpenClaw grants it. Also handles orders that replace the ticket key (`ticket-key-order.mjs`).
 *
 * Environment: GATEWAY_PORT; TENANT_ORIGIN; that of `tickets.mjs`.
 */
import { Server } from "node:http";
import { BlockList, isIP } from "node:net";
import { answerTicketKeyOrder, isTicketKeyOrder } from "../ticket-key-order.mjs";
import { tickets } from "./held-tickets.mjs";
import { removeHeaders, setIdentity, UNKNOWN_ADDRESS } from "./identity-headers.mjs";
import { Operators } from "./operators.mjs";
import { directories } from "./paths.mjs";
import { OPERATOR_SCOPES, USER_SCOPES, WITHIN } from "./platform-config.mjs";

const TICKET_HEADER = "x-platform-ticket";
const ADDRESS_HEADER = "x-platform-address";
/** Headers with the identity, address or rights of a user. */
const IDENTITY_HEADERS = /^(?:x-platform-.*|x-openclaw-scopes|forwarded|x-forwarded-.*|x-real-ip|cf-access-.*)$/;
const MAX_TICKETS = 1_000;

const { GATEWAY_PORT: port = "18789", TENANT_ORIGIN: origin } = process.env;
const scheme = origin?.startsWith("http:") ? "http" : "https";
const operators = new Operators(directories(process.env).state);
/** Claims of verified tickets. */
const verified = new Map();

/** Returns the claims of a valid ticket. */
export function claimsOf(ticket) {
  let claims = verified.get(ticket);
  if (claims === undefined) {
    claims = tickets.claimsOf(ticket);
    if (claims === undefined) return undefined;
    if (verified.size >= MAX_TICKETS) verified.delete(verified.keys().next().value);
    verified.set(ticket, claims);
  }
  return claims.exp > Date.now() / 1000 ? claims : undefined;
}

/** Replaces a request's identity headers by those of its ticket. */
export function guard(request) {
  const { headers } = request;
  const ticket = headers[TICKET_HEADER];
  const address = headers[ADDRESS_HEADER];
  const claims = typeof ticket === "string" ? claimsOf(ticket) : undefined;
  removeHeaders(request, (name) => IDENTITY_HEADERS.test(name) || (claims !== undefined && name === "authorization"));
  if (claims === undefined) return;
  const { sub: user, role } = claims;
  const isOperator = role === "ADMIN" || role === "ROOT";
  if (isOperator) operators.add(user);
  const scopes = isOperator ? OPERATOR_SCOPES : USER_SCOPES;
  setIdentity(request, { user, role, scopes, address: isClient(address) ? address : UNKNOWN_ADDRESS, scheme });
}

const within = new BlockList();
for (const range of WITHIN) {
  const [network = "", prefix] = range.split("/");
  within.addSubnet(network, Number(prefix), isIP(network) === 6 ? "ipv6" : "ipv4");
}

/** Whether OpenClaw treats an address as a client's, and not as a proxy's. */
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
      parameters[0].destroy();
      return true;
    }
  }
  return emit.call(this, event, ...parameters);
};
