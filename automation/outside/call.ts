import { sendRequest } from "@tenantry/std/send-request";
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
export async function callService(
  { url, token, name, answerMs = ANSWER_MS }: Target,
  signal: AbortSignal,
  body?: unknown,
): Promise<string> {
  const target = new URL(url);
  const ending = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const content = body === undefined ? undefined : JSON.stringify(body);
  const answer = await sendRequest(target, {
    method: content === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(content !== undefined && { "content-type": "application/json" }),
    },
    signal: ending,
    body: content,
  }).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new TaskError(`${name} cannot be reached at ${target.host}${code}.`);
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new RefusedCall(`${name} returned HTTP ${answer.status} for ${target.pathname}.`, answer);
  }
  return answer.body;
}
