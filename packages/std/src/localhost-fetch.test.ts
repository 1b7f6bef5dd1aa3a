import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "./listening.ts";
import { localhostFetch } from "./localhost-fetch.ts";

async function serving(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    if (url === "/moved") response.writeHead(302, { location: "/" }).end();
    else if (url === "/none") response.writeHead(204).end();
    else
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ method, host: headers.host, body }));
  });
  const port = await listen(server, { port: 0 });
  onTestFinished(() => void server.close());
  return `http://dash.tenantry.localhost:${port}`;
}

test("reaches a name under localhost on this machine, and sends method and body", async () => {
  const url = await serving();
  const response = await localhostFetch(url, { method: "POST", body: "sent" });
  expect(await response.json()).toEqual({ method: "POST", host: new URL(url).host, body: "sent" });
  expect(response.headers.get("content-type")).toBe("application/json");
});

test("returns redirects and empty responses as they are", async () => {
  const url = await serving();
  expect((await localhostFetch(`${url}/moved`)).status).toBe(302);
  const empty = await localhostFetch(`${url}/none`);
  expect([empty.status, empty.body]).toEqual([204, null]);
});

test("rejects when no server listens, and when it is aborted", async () => {
  await expect(localhostFetch("http://dash.tenantry.localhost:9")).rejects.toThrow("ECONNREFUSED");
  const url = await serving();
  await expect(localhostFetch(url, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});
