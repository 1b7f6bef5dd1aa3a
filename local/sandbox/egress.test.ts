import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Egress, startEgress } from "./egress.ts";

const script = { namespace: "tenants", name: "tenant-acme" };

let egress: Egress;
beforeEach(async () => {
  egress = await startEgress(() => {});
});
afterEach(() => egress.stop());

const send = (address: string, init: RequestInit = {}) => fetch(address, { method: "POST", body: "{}", ...init });

test("each script has its own address, which stays", () => {
  const address = egress.address(script);
  expect(egress.address({ ...script })).toBe(address);
  expect(egress.address({ ...script, name: "tenant-hooli" })).not.toBe(address);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/v1\/metrics$/);
});

test("a request reaches its script with what metrics need, and with no claim to be anybody", async () => {
  const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const worker = createServer(async (request, response) => {
    seen.push({ url: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(202, { "content-type": "text/x-answer" }).end("taken");
  });
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = worker.address() as AddressInfo;
    egress.open(({ namespace, name }, url) => ({
      port,
      path: "/hub",
      headers: { "x-for": `${namespace}/${name} ${url}` },
    }));
    const claims = { "x-platform-role": "ROOT", authorization: "Bearer x", cookie: "a=b", "x-for": "another" };
    const body = new Uint8Array(gzipSync("{}"));
    const kept = { "content-type": "application/json", "content-encoding": "gzip" };
    const response = await send(egress.address(script), { headers: { ...claims, ...kept }, body });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      202,
      "text/x-answer",
      "taken",
    ]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers).toMatchObject({
      ...kept,
      "x-for": "tenants/tenant-acme http://metrics.internal/api/internal/metrics",
    });
    for (const name of ["x-platform-role", "authorization", "cookie"])
      expect(seen[0]?.headers).not.toHaveProperty(name);
  } finally {
    worker.closeAllConnections();
    worker.close();
  }
});

test("while no script can be reached, the exporter is told to try again", async () => {
  const address = egress.address(script);
  expect((await send(address)).status).toBe(503);
  egress.open(() => ({ socketPath: "/nowhere/at/all.sock" }));
  const response = await send(address);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "tenant_unavailable" } });
});

test("nothing else is served", async () => {
  const address = egress.address(script);
  expect((await fetch(address)).status).toBe(405);
  for (const path of ["/", "/v1/metrics", "/api/internal/tick"])
    expect((await send(new URL(path, address).href)).status).toBe(404);
});
