/** Passes everything that is not the Worker's own to the gateway, and says so when the gateway is not there yet. */
import { errorResponse } from "../contracts/errors.ts";
import { GATEWAY_PORT } from "../contracts/health-snapshot.ts";
import { ANSWER_TIMEOUT_MS, AnswerOverdue, answerWithin } from "./answer-limit.ts";
import { loadingPage } from "./loading-page.ts";
import { PortClosed, type SandboxPort } from "./sandbox-port.ts";

/**
 * How long a gateway seen ready is taken to be ready before it is looked at again, in milliseconds. Whoever sees otherwise meanwhile
 * has the sandbox turn traffic away.
 */
const ADMISSION_MS = 5_000;

const ACCESS_COOKIE = /^CF_Authorization=/;

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
 * The headers the gateway gets: its own token, and nothing by which it could act as the user elsewhere.
 * `X-Platform-*` stay as the dispatch Worker set them.
 */
export function gatewayHeaders(request: Request, token: string): Headers {
  const headers = new Headers(request.headers);
  for (const name of FORWARDING) headers.delete(name);
  headers.delete(EXPECT);
  headers.set("authorization", `Bearer ${token}`);
  headers.delete("cf-access-jwt-assertion");
  const cookies = (headers.get("cookie") ?? "")
    .split(/;\s*/)
    .filter((cookie) => cookie !== "" && !ACCESS_COOKIE.test(cookie));
  if (cookies.length === 0) headers.delete("cookie");
  else headers.set("cookie", cookies.join("; "));
  return headers;
}

function wantsPage(request: Request): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && !request.headers.has("upgrade") && (request.headers.get("accept") ?? "").includes("text/html");
}

function starting(request: Request): Response {
  if (wantsPage(request)) return loadingPage(request.method === "HEAD");
  return errorResponse("gateway_starting", "The gateway is starting; try again in a few seconds.", {
    headers: { "retry-after": "2" },
  });
}

export class GatewayProxy {
  readonly #sandbox: SandboxPort;
  readonly #admit: () => Promise<boolean>;
  readonly #token: string;
  readonly #answerMs: number;
  #admittedUntil = 0;

  /**
   * @param admit whether the gateway takes traffic now; starts it when it does not run
   * @param answerMs how long it may take to begin an answer, in milliseconds
   */
  constructor(sandbox: SandboxPort, admit: () => Promise<boolean>, token: string, answerMs = ANSWER_TIMEOUT_MS) {
    this.#sandbox = sandbox;
    this.#admit = admit;
    this.#token = token;
    this.#answerMs = answerMs;
  }

  /** Asks again before the next request whether the gateway is ready. */
  forget(): void {
    this.#admittedUntil = 0;
  }

  async fetch(request: Request): Promise<Response> {
    if (!(await this.#isAdmitted())) return starting(request);
    try {
      const headers = gatewayHeaders(request, this.#token);
      const passed = new Request(request, { headers, redirect: "manual" });
      return await answerWithin(this.#answerMs, passed, (asked) => this.#sandbox.fetch(asked, GATEWAY_PORT));
    } catch (error) {
      this.forget();
      if (error instanceof AnswerOverdue) {
        const message = `The gateway did not begin its answer within ${this.#answerMs / 1000} s.`;
        return errorResponse("gateway_timeout", message);
      }
      if (error instanceof PortClosed) {
        // Asked at once, so that a gateway that is gone is being started when the client comes back.
        await this.#isAdmitted();
        return starting(request);
      }
      return errorResponse("gateway_unavailable", "The gateway broke off before it answered; try again.");
    }
  }

  async #isAdmitted(): Promise<boolean> {
    if (Date.now() < this.#admittedUntil) return true;
    const admitted = await this.#admit();
    if (admitted) this.#admittedUntil = Date.now() + ADMISSION_MS;
    return admitted;
  }
}
