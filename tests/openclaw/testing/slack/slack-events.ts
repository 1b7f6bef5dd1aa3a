/** Sends events to an app as Slack does: https://docs.slack.dev/apis/events-api. */
import { createHmac, randomUUID } from "node:crypto";
import type { SlackEvent } from "./workspace.ts";

/** For a response with a 2xx status: https://docs.slack.dev/apis/events-api#responding. */
const DEADLINE_MS = 3_000;
/** Before each retry; the first is "nearly immediate": https://docs.slack.dev/apis/events-api#retries. */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];
const VERIFICATION_TOKEN = "the-verification-token";

export interface EventRequest {
  headers: Record<string, string>;
  body: string;
}

export interface EventResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** A request of Slack, and why it sends another. */
export interface Attempt {
  status?: number;
  fault?: "http_timeout" | "connection_failed" | "http_error";
}

interface Target {
  signingSecret: string;
  /** Posts to the app's Request URL. Rejects when the connection fails or breaks. */
  post: (request: EventRequest) => Promise<EventResponse>;
}

export class SlackEvents {
  readonly #target: Target;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Returns whether the app answers the challenge, which Slack sends when the Request URL is entered. */
  async verifiesUrl(): Promise<boolean> {
    const challenge = randomUUID();
    const body = JSON.stringify({ token: VERIFICATION_TOKEN, challenge, type: "url_verification" });
    const { status, body: answer } = await this.#target.post({ headers: this.#headers(body), body });
    return status === 200 && answer.includes(challenge);
  }

  /** Sends an event until the app accepts it, at most four times in six minutes. @returns the attempts */
  async send(event: SlackEvent): Promise<Attempt[]> {
    const body = JSON.stringify(event);
    let response = await this.#attempt({ headers: this.#headers(body), body });
    const attempts = [attemptOf(response)];
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      const fault = attempts.at(-1)?.fault;
      if (fault === undefined || isLast(response)) break;
      if (delay > 0) await elapsed(delay);
      const retry = { "x-slack-retry-num": String(index + 1), "x-slack-retry-reason": fault };
      response = await this.#attempt({ headers: { ...this.#headers(body), ...retry }, body });
      attempts.push(attemptOf(response));
    }
    return attempts;
  }

  async #attempt(request: EventRequest): Promise<EventResponse | "http_timeout" | "connection_failed"> {
    const late = Promise.withResolvers<"http_timeout">();
    const timer = setTimeout(() => late.resolve("http_timeout"), DEADLINE_MS);
    const response = this.#target.post(request).catch(() => "connection_failed" as const);
    try {
      return await Promise.race([response, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** https://docs.slack.dev/authentication/verifying-requests-from-slack */
  #headers(body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", this.#target.signingSecret).update(`v0:${timestamp}:${body}`).digest("hex");
    return {
      "content-type": "application/json",
      "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signature}`,
    };
  }
}

const elapsed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A redirect is a fault here. Slack follows two. */
function attemptOf(response: EventResponse | "http_timeout" | "connection_failed"): Attempt {
  if (typeof response === "string") return { fault: response };
  const { status } = response;
  return status >= 200 && status < 300 ? { status } : { status, fault: "http_error" };
}

/** Whether the app wants no retry: https://docs.slack.dev/apis/events-api#turning-retries-off. */
const isLast = (response: EventResponse | string): boolean =>
  typeof response !== "string" && response.headers.get("x-slack-no-retry") === "1";
