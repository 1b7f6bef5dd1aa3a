import { parsedJson } from "@tenantry/std/parsed-json";
import { sendRequest } from "@tenantry/std/send-request";
import * as z from "zod";
import { outsideErrors } from "#domain/errors/service/automation.ts";
import { TaskError } from "../task.ts";

const ANSWER_MS = 15_000;

export interface Target {
  url: string;
  token: string;
  /** Name of the service, for messages. */
  name: string;
  /** In milliseconds. Default: 15,000. */
  answerMs?: number;
  /** Default: POST if there is a body, else GET. */
  method?: "PUT";
}

/** A response with another status than 2xx. */
export class RefusedCall extends TaskError<typeof outsideErrors.called_service_refused> {
  override name = "RefusedCall";
  readonly status: number;
  readonly body: string;
  constructor(service: string, path: string, { status, body }: { status: number; body: string }) {
    super(outsideErrors.called_service_refused, { service, path, status });
    this.status = status;
    this.body = body;
  }
}

/** Calls a service with a bearer token. @returns the response's body @throws TaskError if there is no response, RefusedCall if it is not 2xx */
export async function callService(
  { url, token, name, answerMs = ANSWER_MS, method }: Target,
  signal: AbortSignal,
  body?: unknown,
): Promise<string> {
  const target = new URL(url);
  const ending = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  const content = body === undefined ? undefined : JSON.stringify(body);
  const answer = await sendRequest(target, {
    method: method ?? (content === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${token}`,
      ...(content !== undefined && { "content-type": "application/json" }),
    },
    signal: ending,
    body: content,
  }).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new TaskError(outsideErrors.called_service_unreachable, { service: name, host: target.host, code });
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new RefusedCall(name, target.pathname, answer);
  }
  return answer.body;
}

/** Calls a service that responds with JSON. @throws TaskError as {@link callService}, and if the response does not have the schema's form */
export async function callJson<T>(
  schema: z.ZodType<T>,
  target: Target,
  signal: AbortSignal,
  body?: unknown,
): Promise<T> {
  const answer = await callService(target, signal, body);
  // Only an empty body is no content: another proxy's page must not pass as one.
  const parsed = schema.safeParse(answer === "" ? undefined : (parsedJson(answer) ?? answer));
  if (parsed.success) return parsed.data;
  const { name: service, url } = target;
  const fault = z.prettifyError(parsed.error);
  throw new TaskError(outsideErrors.called_service_response_invalid, { service, path: new URL(url).pathname, fault });
}
