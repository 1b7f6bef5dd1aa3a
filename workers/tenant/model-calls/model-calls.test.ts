/** Model calls from a container to the tenant's AI gateway. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect } from "vitest";
import { METRICS_ENDPOINT_VARIABLE } from "#workers/contracts/tenant/sandbox.ts";
import { eventually, TOKEN } from "../testing/harness.ts";
import { AI_TOKEN, CHAT, environment, test } from "./testing/model-call-tenant.ts";
import type { ReceivedCall } from "./testing/test-ai-gateway.ts";

test("passes a call completely with the tenant's token and name, and returns the response unchanged", async ({
  aiGateway,
  send,
}) => {
  const body = JSON.stringify({ model: "openai/gpt-5-mini", messages: ["ü".repeat(300_000)] });
  const response = await send(`${CHAT}?a=b`, {}, { body });
  expect([response.status, response.headers.get("cf-aig-log-id"), await response.text()]).toEqual([200, "log-1", "{}"]);
  expect(aiGateway.calls).toMatchObject([{ method: "POST", url: `/ai-gateway${CHAT}?a=b`, body }]);
  const { headers } = aiGateway.calls[0] as ReceivedCall;
  expect(headers).toMatchObject({ "cf-aig-authorization": `Bearer ${AI_TOKEN}`, "content-type": "application/json" });
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(String(headers["cf-aig-metadata"]))).toEqual({
    tenant: "acme~2",
    environment: "development",
    plan: "pro",
  });
});

test("gives the container neither the token nor the providers' keys", ({ aiGateway, tenant, url }) => {
  const variables = environment(tenant);
  expect(variables).toMatchObject({ CF_ACCOUNT_ID: "account-1", AI_GATEWAY_ID: "pool-a", GATEWAY_TOKEN: TOKEN });
  expect(variables.DEFAULT_MODEL).toBe("openai/gpt-5-mini");
  expect(url).not.toBe(aiGateway.url);
  const text = readFileSync(`/proc/${tenant.processes("gateway")[0]?.pid}/environ`, "utf8");
  for (const secret of [AI_TOKEN, "key-of-the-ai-gateway", "sk-openai", "sk-ant"]) expect(text).not.toContain(secret);
});

test("rejects paths outside the tenant's AI gateway, and the universal endpoint", async ({ aiGateway, send }) => {
  const paths = [
    "/",
    "/v1/account-1/pool-a",
    "/v1/account-1/pool-a/",
    "/v1/account-1/pool-b/compat/chat/completions",
    "/v1/account-2/pool-a/compat/chat/completions",
    "/v1/account-1/pool-a/%2e%2e/pool-b/compat/chat/completions",
    "/v1/account-1/pool-a/compat/..%2f..%2fpool-b/compat/chat/completions",
    "/v1/account-1/pool-a/compat/%252e%252e%252fpool-b/x",
    "/v1/account-1/pool-a/..%5cpool-b/x",
    "/v1/account-1/pool-a//compat/chat/completions",
    "/api/internal/tick",
    "/api/admin/gateway/log",
  ];
  for (const path of paths) {
    const response = await send(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ success: false, error: [{ code: 404 }] });
  }
  expect(aiGateway.calls).toEqual([]);
});

test("separates the endpoints for metrics and models", async ({ aiGateway, tenant, url, send }) => {
  const metrics = environment(tenant)[METRICS_ENDPOINT_VARIABLE] ?? "";
  const key = (url: string) => new URL(url).pathname.split("/")[1] ?? "";
  expect(key(metrics)).not.toBe(key(url));
  expect((await fetch(metrics.replace(/\/api.*/, CHAT), { method: "POST", body: "{}" })).status).toBe(415);
  expect((await send("/api/internal/metrics")).status).toBe(404);
  expect(aiGateway.calls).toEqual([]);
});

test("rejects a WebSocket with a reason", async ({ aiGateway, url }) => {
  const { hostname, port, pathname } = new URL(`${url}/v1/account-1/pool-a/openai/realtime`);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
  );
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes;
  });
  await eventually(() => received.includes("WebSockets of the AI gateway are not supported"));
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
  socket.destroy();
  expect(aiGateway.calls).toEqual([]);
});

describe("an error of the AI gateway", () => {
  test("is passed on unchanged", async ({ aiGateway, send }) => {
    aiGateway.respond = (_request, response) =>
      response
        .writeHead(429, { "content-type": "application/json", "retry-after": "7" })
        .end('{"error":[{"code":2045}]}');
    const response = await send(CHAT);
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
      429,
      "7",
      '{"error":[{"code":2045}]}',
    ]);
  });

  test("is a 502 in its format and logged without secrets when it cannot be reached", async ({
    aiGateway,
    tenant,
    send,
  }) => {
    aiGateway.respond = (_request, response) => response.destroy();
    const response = await send(`${CHAT}?key=sk-in-the-address`);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      success: false,
      error: [{ code: 502, message: "The AI gateway cannot be reached. Try again." }],
    });
    await eventually(() => tenant.output().includes("ai-gateway.unreachable"));
  });
});

test("writes no secret to the Worker's log or the gateway's log", async ({ tenant, send }) => {
  expect((await send(CHAT, { authorization: "Bearer sk-own" })).status).toBe(200);
  const { lines }: { lines: string[] } = JSON.parse(
    await (await tenant.fetch("/api/admin/gateway/log", { headers: { "X-Platform-Role": "ADMIN" } })).text(),
  );
  const text = tenant.output() + lines.join("\n");
  for (const secret of [AI_TOKEN, "sk-openai", "sk-ant", "sk-own", "sk-in-the-address"])
    expect(text).not.toContain(secret);
});

test("passes a redirect on without following it", async ({ aiGateway, send }) => {
  aiGateway.respond = (_request, response) => response.writeHead(307, { location: `${aiGateway.url}/other` }).end();
  const response = await send(CHAT, {}, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([307, `${aiGateway.url}/other`]);
});
