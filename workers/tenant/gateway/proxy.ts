/** Passes everything that is not the Worker's own to the gateway, and says so when the gateway is not there yet. */
import { errorResponse } from "#workers/contracts/errors.ts";
import {
  ADDRESS_HEADER,
  BRAND_HEADER,
  decodeUser,
  ROLE_HEADER,
  TICKET_HEADER,
  USER_HEADER,
} from "#workers/contracts/platform-headers.ts";
import { type Role, role } from "#workers/contracts/roles.ts";
import { GATEWAY_PORT } from "#workers/contracts/tenant/health-snapshot.ts";
import { removeAccess } from "#workers/shared/access/tokens.ts";
import { PortClosed, type SandboxPort } from "../sandbox/port.ts";
import { ANSWER_TIMEOUT_MS, AnswerOverdue, answerWithin } from "./answer-limit.ts";
import { failureAnswer, loadingAnswer, wantsPage } from "./pages.tsx";
import type { ReadyMark } from "./ready-mark.ts";

/** Headers that tell of proxies on the way. A gateway that was told of no trusted proxy refuses requests with them. */
const FORWARDING = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
  "via",
];

/** Met by whoever took the request. workerd takes an interim answer of the gateway's for its final one, and mixes answers up. */
const EXPECT = "expect";

/**
 * The headers the gateway gets: its own token, a ticket of the user, and nothing by which it could act as the user elsewhere.
 * `X-Platform-*` stay as the dispatch Worker set them, but for the brand, which is for pages of the Worker's own.
 *
 * @param ticketOf see {@link UserTickets}
 */
export async function gatewayHeaders(
  request: Request,
  token: string,
  ticketOf: (email: string, role: Role) => Promise<string>,
): Promise<Headers> {
  const headers = new Headers(request.headers);
  const address = headers.get("cf-connecting-ip");
  for (const name of FORWARDING) headers.delete(name);
  headers.delete(EXPECT);
  headers.delete(BRAND_HEADER);
  headers.set("authorization", `Bearer ${token}`);
  removeAccess(headers);
  if (address !== null) headers.set(ADDRESS_HEADER, address);
  const user = headers.get(USER_HEADER);
  const as = role.safeParse(headers.get(ROLE_HEADER));
  if (user !== null && as.success) headers.set(TICKET_HEADER, await ticketOf(decodeUser(user), as.data));
  return headers;
}

function starting(request: Request): Response | Promise<Response> {
  if (wantsPage(request)) return loadingAnswer(request);
  return errorResponse("gateway_starting", "The gateway is starting; try again in a few seconds.", {
    headers: { "retry-after": "2" },
  });
}

function failed(
  request: Request,
  code: "gateway_timeout" | "gateway_unavailable",
  message: string,
): Response | Promise<Response> {
  return wantsPage(request) ? failureAnswer(request, code, message) : errorResponse(code, message);
}

export interface GatewayProxyOptions {
  /** This request's. */
  sandbox: SandboxPort;
  readyMark: ReadyMark;
  /** Whether the gateway takes traffic now; starts it when it does not run. */
  admit: () => Promise<boolean>;
  /** What the gateway demands. */
  token: string;
  /** What the gateway knows users by. */
  ticketOf: (email: string, role: Role) => Promise<string>;
  /** How long it may take to begin an answer, in milliseconds. Default: {@link ANSWER_TIMEOUT_MS} */
  answerMs?: number | undefined;
}

export class GatewayProxy {
  readonly #o: GatewayProxyOptions;

  constructor(options: GatewayProxyOptions) {
    this.#o = options;
  }

  async fetch(request: Request): Promise<Response> {
    if (!(await this.#isAdmitted())) return starting(request);
    const { sandbox, token, ticketOf, answerMs = ANSWER_TIMEOUT_MS } = this.#o;
    try {
      const headers = await gatewayHeaders(request, token, ticketOf);
      const passed = new Request(request, { headers, redirect: "manual" });
      return await answerWithin(answerMs, passed, (asked) => sandbox.fetch(asked, GATEWAY_PORT));
    } catch (error) {
      this.#o.readyMark.forget();
      if (error instanceof AnswerOverdue) {
        const message = `The gateway did not begin its answer within ${answerMs / 1000} s.`;
        return failed(request, "gateway_timeout", message);
      }
      if (error instanceof PortClosed) {
        // Asked at once, so that a gateway that is gone is being started when the client comes back.
        await this.#isAdmitted();
        return starting(request);
      }
      return failed(request, "gateway_unavailable", "The gateway broke off before it answered; try again.");
    }
  }

  async #isAdmitted(): Promise<boolean> {
    const { readyMark, admit } = this.#o;
    if (readyMark.stands) return true;
    const admitted = await admit();
    if (admitted) readyMark.set();
    return admitted;
  }
}
