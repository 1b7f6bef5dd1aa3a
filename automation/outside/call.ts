import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { text } from "node:stream/consumers";
import { TaskError } from "../task.ts";

const ANSWER_MS = 15_000;

export interface Target {
  url: string;
  token: string;
  /** Name of the service, for messages. */
  name: string;
  /** In milliseconds. Default: 15,000. */
  answerMs?: number;
}

/** A response with another status than 2xx. */
export class RefusedCall extends TaskError {
  override name = "RefusedCall";
  readonly status: number;
  readonly body: string;
  constructor(message: string, { status, body }: { status: number; body: string }) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** Calls a service with a bearer token, by POST if there is a body. @returns the response's body @throws TaskError if there is no response, RefusedCall if it is not 2xx */
export async function call(
  { url, token, name, answerMs = ANSWER_MS }: Target,
  signal: AbortSignal,
  body?: unknown,
): Promise<string> {
  const target = new URL(url);
  const ending = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const answer = await send(target, token, ending, body).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new TaskError(`${name} cannot be reached at ${target.host}${code}.`);
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new RefusedCall(`${name} returned HTTP ${answer.status} for ${target.pathname}.`, answer);
  }
  return answer.body;
}

function send(url: URL, token: string, signal: AbortSignal, body: unknown): Promise<{ status: number; body: string }> {
  const request = url.protocol === "http:" ? httpRequest : httpsRequest;
  const content = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: content === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${token}`,
          ...(content !== undefined && { "content-type": "application/json" }),
        },
        agent: false,
        signal,
        ...addressOf(url.hostname),
      },
      (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      },
    );
    outgoing.on("error", reject);
    outgoing.end(content);
  });
}

/** Not every resolver resolves names under `localhost` to this machine (RFC 6761, section 6.3). */
function addressOf(hostname: string): { lookup?: LookupFunction } {
  if (!hostname.endsWith(".localhost")) return {};
  const loopback = { address: "127.0.0.1", family: 4 };
  return {
    lookup: (_hostname, options, found) =>
      options.all === true ? found(null, [loopback]) : found(null, loopback.address, loopback.family),
  };
}
