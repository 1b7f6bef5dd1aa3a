/** An AI gateway for tests, which records calls. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";

export interface ReceivedCall {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface TestAiGateway {
  /** Value of the binding `AI_GATEWAY_URL`. */
  readonly url: string;
  /** Calls with the default response, oldest first. */
  readonly calls: ReceivedCall[];
  /** Responds to further calls, before their body is read. Default: 200 with `{}` after the body. */
  respond: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  stop(): void;
}

export async function startAiGateway(): Promise<TestAiGateway> {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    if (aiGateway.respond !== undefined) return aiGateway.respond(request, response);
    const { method, url, headers } = request;
    calls.push({ method, url, headers, body: await text(request) });
    response.writeHead(200, { "content-type": "application/json", "cf-aig-log-id": "log-1" }).end("{}");
  });
  const port = await listen(server, { port: 0 });
  const aiGateway: TestAiGateway = {
    url: `http://127.0.0.1:${port}/ai-gateway`,
    calls,
    respond: undefined,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return aiGateway;
}
