/** A vitest suite with an edge as its fixture. It uploads a Worker by the `cloudflare` package and calls it over HTTP. */
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Edge, startEdge } from "@tenantry/edge";
import Cloudflare, { toFile } from "cloudflare";
import { afterAll, beforeAll, expect, test } from "vitest";

let directory: string;
let edge: Edge;
let cloudflare: Cloudflare;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "edge-example-"));
  edge = await startEdge({ directory, port: 0 });
  cloudflare = new Cloudflare({ apiToken: edge.apiToken, baseURL: edge.apiUrl });
});
afterAll(async () => {
  await edge?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Requests a host of the edge. Node does not resolve names below `localhost`, so it connects to 127.0.0.1. */
function get(host: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: edge.port, path, headers: { host } }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.once("error", reject).end();
  });
}

test("serves a Worker at its route", async () => {
  const source = 'export default { fetch: (request) => new Response("Hello from " + new URL(request.url).pathname) };';
  await cloudflare.workers.scripts.update("hello", {
    account_id: edge.accountId,
    metadata: { main_module: "index.js", compatibility_date: "2026-07-01" },
    files: [await toFile(Buffer.from(source), "index.js", { type: "application/javascript+module" })],
  });
  const pattern = `hello.${edge.domain}/*`;
  await cloudflare.workers.routes.create({ zone_id: edge.zoneId, pattern, script: "hello" });
  expect(await get(`hello.${edge.domain}`, "/there")).toBe("Hello from /there");
});
