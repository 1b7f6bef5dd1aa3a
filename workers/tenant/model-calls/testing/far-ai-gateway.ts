/** An AI gateway in another place: it keeps what reaches it, and answers as its test says. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface SeenCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FarAiGateway {
  /** As the binding `AI_GATEWAY_URL` has it. */
  readonly url: string;
  /** Calls that were answered, oldest first. */
  readonly calls: SeenCall[];
  /** Answers further calls by itself, before their body is read. Default: 200 with `{}` after the body. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  stop(): void;
}

export async function startFarAiGateway(): Promise<FarAiGateway> {
  const calls: SeenCall[] = [];
  const server = createServer(async (request, response) => {
    if (far.answer !== undefined) return far.answer(request, response);
    const { method, url, headers } = request;
    calls.push({ method, url, headers, body: await text(request) });
    response.writeHead(200, { "content-type": "application/json", "cf-aig-log-id": "log-1" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const far: FarAiGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ai-gateway`,
    calls,
    answer: undefined,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return far;
}
