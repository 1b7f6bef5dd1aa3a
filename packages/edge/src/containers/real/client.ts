/** Calls of a container engine's API, which is Docker's, over its unix socket. */
import { type IncomingMessage, request } from "node:http";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface EngineAnswer {
  status: number;
  text: string;
}

interface CallOptions {
  query?: Record<string, string>;
  /** Sent as JSON; a stream as a tar archive. */
  body?: Readable | object;
  /** Milliseconds without a byte of the answer. Default: no limit, as a build or a pull has none. */
  timeoutMs?: number;
}

export class RealEngineClient {
  /** Path of the socket. */
  readonly socket: string;

  constructor(socket: string) {
    this.socket = socket;
  }

  /** @throws Error when the engine does not answer */
  async call(method: string, path: string, options: CallOptions = {}): Promise<EngineAnswer> {
    const { query, body, timeoutMs } = options;
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const isStream = body !== undefined && "pipe" in body;
    const type = isStream ? "application/x-tar" : "application/json";
    return new Promise((resolve, reject) => {
      const asked = request(
        {
          socketPath: this.socket,
          method,
          path: path + search,
          headers: { host: "engine", ...(body === undefined ? {} : { "content-type": type }) },
          ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
        },
        (answer) => text(answer).then((given) => resolve({ status: answer.statusCode ?? 500, text: given }), reject),
      );
      asked.once("timeout", () => asked.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      asked.once("error", reject);
      if (!isStream) return void asked.end(body === undefined ? "" : JSON.stringify(body));
      body.once("error", (error) => asked.destroy(error));
      body.pipe(asked);
    });
  }

  /**
   * The lines that the engine sends from now on, each JSON.
   *
   * @param signal ends it
   * @throws Error when the engine does not send any
   */
  async lines(path: string, signal: AbortSignal): Promise<AsyncIterable<string>> {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ socketPath: this.socket, path, headers: { host: "engine" }, signal }, resolve);
      asked.once("error", reject);
      asked.end();
    });
    if (answer.statusCode !== 200)
      throw new Error(`the container engine answered GET ${path} with ${answer.statusCode}`);
    return createInterface(answer);
  }

  /** A call of which only some statuses are a success. @throws Error with the engine's own words for any other */
  async expect(
    statuses: readonly number[],
    method: string,
    path: string,
    options?: CallOptions,
  ): Promise<EngineAnswer> {
    const answer = await this.call(method, path, options);
    if (statuses.includes(answer.status)) return answer;
    throw new Error(`the container engine answered ${method} ${path} with ${answer.status}: ${reason(answer.text)}`);
  }
}

function reason(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
  } catch {
    // Said as it stands.
  }
  return text.trim().slice(0, 1_000);
}
