/** A server that answers by path, in place of the dispatch Worker and of vendors. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { closeAndCut, listen } from "@tenantry/std/listening";

export class AnsweringServer {
  /** Method, path with query, and JSON body of each request. */
  readonly requests: unknown[] = [];
  /** By path; other requests get status 500. */
  readonly answers = new Map<string, { status?: number; body: object | string }>();
  /** Awaited before the next responses. */
  meanwhile: (() => Promise<unknown>) | undefined;
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    this.requests.push([request.method, request.url, ...(body === "" ? [] : [JSON.parse(body)])]);
    await this.meanwhile?.();
    const path = request.url?.split("?")[0] ?? "";
    const { status = 200, body: answer } = this.answers.get(path) ?? { status: 500, body: {} };
    response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });

  /** @returns the server's address */
  async start(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server, { port: 0 })}`;
  }

  reset(): void {
    this.requests.length = 0;
    this.answers.clear();
    this.meanwhile = undefined;
  }

  stop(): Promise<void> {
    return closeAndCut(this.#server);
  }
}
