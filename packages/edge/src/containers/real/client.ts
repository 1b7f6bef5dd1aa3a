import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

interface EngineResponse {
  status: number;
  text: string;
}

interface CallOptions {
  query?: Record<string, string>;
  /** Sent as JSON; a stream as a tar archive. */
  body?: Readable | object;
  /** Milliseconds without data. Default: no limit, as builds and pulls need. */
  timeoutMs?: number;
}

/** Calls the Docker API of a container engine on its unix socket. */
export class RealEngineClient {
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  /** @throws Error when the engine does not respond */
  async call(method: string, path: string, options: CallOptions = {}): Promise<EngineResponse> {
    const { query, body, timeoutMs } = options;
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const isStream = body !== undefined && "pipe" in body;
    const type = isStream ? "application/x-tar" : "application/json";
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: this.socket,
          method,
          path: path + search,
          headers: { host: "engine", ...(body === undefined ? {} : { "content-type": type }) },
          ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
        },
        (response) =>
          text(response).then((body) => resolve({ status: response.statusCode ?? 500, text: body }), reject),
      );
      // Node's agent has a limit of its own, which ends nothing unless this acts on it.
      if (timeoutMs !== undefined)
        sent.once("timeout", () => sent.destroy(new Error(`no response within ${timeoutMs} ms`)));
      sent.once("error", reject);
      if (!isStream) return void sent.end(body === undefined ? "" : JSON.stringify(body));
      body.once("error", (error) => sent.destroy(error));
      body.pipe(sent);
    });
  }

  /** Returns a stream of JSON lines of the engine. @param signal ends it @throws Error for another status than 200 */
  async lines(path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ socketPath: this.socket, path, headers: { host: "engine" }, signal }, resolve);
      sent.once("error", reject);
      sent.end();
    });
    if (response.statusCode === 200) return createInterface(response);
    throw new Error(`the container engine returned ${response.statusCode} for GET ${path}`);
  }

  /** Calls the engine. @throws Error with its message for another status */
  async expect(
    statuses: readonly number[],
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<EngineResponse> {
    const response = await this.call(method, path, options);
    if (statuses.includes(response.status)) return response;
    const { status, text } = response;
    throw new Error(`the container engine returned ${status} for ${method} ${path}: ${messageOf(text)}`);
  }
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
  } catch {
    // Not JSON.
  }
  return text.trim().slice(0, 1_000);
}
