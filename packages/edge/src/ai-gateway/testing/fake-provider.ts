import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@tenantry/std/listening";
import { onTestFinished } from "vitest";

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

interface FakeProvider {
  baseUrl: string;
  received: ReceivedRequest[];
}

/** Starts a provider that records requests. */
export async function startFakeProvider(respond: (response: ServerResponse) => void): Promise<FakeProvider> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body: await text(request) });
    respond(response);
  });
  const port = await listen(server, { port: 0 });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${port}`, received };
}
