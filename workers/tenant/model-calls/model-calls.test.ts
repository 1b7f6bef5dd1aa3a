/** Model calls from a container to the tenant's AI gateway. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import OpenAI from "openai";
import { describe, expect } from "vitest";
import { PROVIDER_KEYS_PATH } from "#workers/contracts/tenant/provider-keys.ts";
import { NO_PROVIDER_KEY } from "#workers/contracts/tenant/sandbox.ts";
import { SPENDING_CAP_PATH } from "#workers/contracts/tenant/spending-cap.ts";
import { running } from "../testing/backup-tenant.ts";
import { eventually, type Tenant, TOKEN } from "../testing/harness.ts";
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

test("gives the container neither the token nor the providers' keys", ({ aiGateway, tenant }) => {
  const variables = environment(tenant);
  expect(variables).toMatchObject({ CF_ACCOUNT_ID: "account-1", AI_GATEWAY_ID: "pool-a", GATEWAY_TOKEN: TOKEN });
  expect(variables.DEFAULT_MODEL).toBe("openai/gpt-5-mini");
  expect(variables.AI_GATEWAY_URL).not.toBe(aiGateway.url);
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

test("separates the endpoints for metrics and models", async ({ aiGateway, metricsUrl, send }) => {
  expect((await fetch(metricsUrl.replace(/\/api.*/, CHAT), { method: "POST", body: "{}" })).status).toBe(415);
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

describe("a tenant's own key", () => {
  const OWN = "sk-proj-Zq81LmX0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123";
  const ANTHROPIC = "/v1/account-1/pool-a/anthropic/v1/messages";
  const id = "7b0a3c52-1d2e-4f60-8a9b-0c1d2e3f4a5b";
  const order = (tenant: Tenant, keys: object[]) =>
    tenant.fetch(PROVIDER_KEYS_PATH, { method: "PUT", body: JSON.stringify({ keys }) });
  const report = async (tenant: Tenant) => (await tenant.fetch(PROVIDER_KEYS_PATH)).json();
  const none = { authorization: `Bearer ${NO_PROVIDER_KEY}` };

  test.afterEach(async ({ tenant }) => void (await order(tenant, [])));

  test("replaces every other key in calls to its provider from the next call on, and no longer once deleted", async ({
    keysOf,
    tenant,
    receivedCall,
  }) => {
    const chat = JSON.stringify({ model: "openai/gpt-5-mini" });
    expect((await order(tenant, [{ id, provider: "openai", key: OWN }])).status).toBe(204);
    const own = { authorization: `Bearer ${OWN}`, apiKey: undefined };
    expect(await keysOf(CHAT, none, "openai/gpt-5-mini")).toEqual(own);
    expect(await keysOf(CHAT, { authorization: "Bearer sk-callers", "x-api-key": "x" }, "openai/x")).toEqual(own);
    expect(await keysOf("/v1/account-1/pool-a/openai/responses", { "api-key": "x" })).toEqual(own);
    const { headers } = await receivedCall(CHAT, { ...none, "cf-aig-byok-alias": "hooli" }, chat);
    expect(headers).not.toHaveProperty("cf-aig-byok-alias");

    // Everything else is as before.
    expect(await keysOf(CHAT, none, "anthropic/claude")).toEqual({ authorization: "Bearer sk-ant", apiKey: undefined });
    const callers = { authorization: "Bearer sk-callers", apiKey: undefined };
    expect(await keysOf(CHAT, { authorization: "Bearer sk-callers" }, "mistral/small")).toEqual(callers);
    for (const model of ["dynamic/route", "openai", "constructor/x"])
      expect(await keysOf(CHAT, none, model)).toEqual({ authorization: undefined, apiKey: undefined });

    await tenant.restartWorker();
    await running(tenant);
    expect(await keysOf(CHAT, none, "openai/gpt-5-mini")).toEqual(own);
    expect((await order(tenant, [{ id, provider: "anthropic", key: OWN }])).status).toBe(204);
    expect(await keysOf(ANTHROPIC, { "x-api-key": "x", authorization: "Bearer x" })).toEqual({
      authorization: undefined,
      apiKey: OWN,
    });
    expect((await keysOf(CHAT, none, "openai/x")).authorization).toBe("Bearer sk-openai");
    expect((await order(tenant, [])).status).toBe(204);
    expect((await keysOf(ANTHROPIC, { "x-api-key": NO_PROVIDER_KEY })).apiKey).toBe("sk-ant");
  });

  test("counts towards the tenant's spend, is marked as paid by the tenant, and cannot be charged to Cloudflare", async ({
    tenant,
    receivedCall,
  }) => {
    await order(tenant, [{ id, provider: "openai", key: OWN }]);
    const call = async (model: string) =>
      receivedCall(CHAT, { "cf-aig-metadata": '{"payer":"tenant","a":1,"b":2}' }, JSON.stringify({ model }));
    const { headers } = await call("openai/x");
    const common = { tenant: "acme~2", environment: "development", plan: "pro" };
    expect(JSON.parse(String(headers["cf-aig-metadata"]))).toEqual({ ...common, payer: "tenant", a: 1 });
    expect(headers["cf-aig-no-wholesale"]).toBe("true");
    const { headers: platforms } = await call("anthropic/x");
    expect(JSON.parse(String(platforms["cf-aig-metadata"]))).toEqual({ ...common, a: 1, b: 2 });
    expect(platforms).not.toHaveProperty("cf-aig-no-wholesale");
  });

  test("is used when the cap of spending is reached, which refuses all other calls until it is raised", async ({
    aiGateway,
    tenant,
    receivedCall,
    send,
  }) => {
    const cap = async (cap: number | null) => {
      const body = JSON.stringify({ cap, days: [] });
      expect((await tenant.fetch(SPENDING_CAP_PATH, { method: "PUT", body })).status).toBe(204);
    };
    await cap(0);
    await order(tenant, [{ id, provider: "openai", key: OWN }]);
    await receivedCall(CHAT, none, JSON.stringify({ model: "openai/x" }));
    for (const [path, headers] of [
      [CHAT, none],
      [CHAT, { authorization: "Bearer sk-callers" }],
      [ANTHROPIC, {}],
    ] as const) {
      const refused = await send(path, headers, { body: JSON.stringify({ model: "anthropic/x" }) });
      expect([refused.status, (await refused.json()).message]).toEqual([
        429,
        expect.stringMatching(/^The spending cap of the last 30 days is reached\./),
      ]);
    }
    expect(aiGateway.calls).toHaveLength(1);
    await tenant.restartWorker();
    await running(tenant);
    expect((await send(ANTHROPIC, {})).status).toBe(429);
    await cap(1);
    await receivedCall(ANTHROPIC);
    await cap(null);
    const invalid = { method: "PUT", body: JSON.stringify({ cap: -1, days: [] }) };
    expect((await tenant.fetch(SPENDING_CAP_PATH, invalid)).status).toBe(400);
  });

  test("is refused by its provider with the provider's error, which administrators can read until it is accepted", async ({
    aiGateway,
    tenant,
    send,
    url,
  }) => {
    await order(tenant, [{ id, provider: "openai", key: OWN }]);
    const respond = (status: number, body: object) => {
      aiGateway.respond = (request, response) => {
        request.resume();
        response.writeHead(status, { "content-type": "application/json", "x-request-id": OWN });
        response.end(JSON.stringify(body));
      };
    };
    const openai = new OpenAI({ apiKey: "sk-callers", baseURL: `${url}/v1/account-1/pool-a/openai`, maxRetries: 0 });
    const ask = () => openai.chat.completions.create({ model: "gpt-5-mini", messages: [] });
    const message = `Incorrect API key provided: ${OWN}.`;
    respond(401, { error: { message, code: "invalid_api_key", type: "invalid_request_error" } });
    const shown = message.replace(OWN, "*".repeat(OWN.length));
    await expect(ask()).rejects.toMatchObject({ status: 401, code: "invalid_api_key", error: { message: shown } });
    const used = { id, lastUsedAt: expect.any(String) };
    await eventually(async () => JSON.stringify(await report(tenant)).includes("rejected"));
    const fault = { kind: "rejected", message: shown, at: expect.any(String) };
    expect(await report(tenant)).toEqual({ keys: [{ ...used, fault }] });

    // The platform's own refusals are no fault of the key.
    respond(429, { success: false, error: [{ code: 2045, message: "Spend limit exceeded" }] });
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    expect(await report(tenant)).toMatchObject({ keys: [{ fault: { kind: "rejected" } }] });

    // A response that repeats its request, in a stream as it is sent.
    aiGateway.respond = (request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${request.headers.authorization?.slice(0, 20)}`);
      response.end(`${request.headers.authorization?.slice(20)}\n\n`);
    };
    const echoed = await send("/v1/account-1/pool-a/openai/echo");
    expect(await echoed.text()).toBe(`data: Bearer ${"*".repeat(OWN.length)}\n\n`);
    await eventually(async () => JSON.stringify(await report(tenant)).includes('"fault":null'));
    expect(tenant.output()).not.toContain(OWN);
  });

  test("is in no environment and no log, and an invalid order changes nothing", async ({ tenant, keysOf }) => {
    await order(tenant, [{ id, provider: "openai", key: OWN }]);
    expect((await keysOf(CHAT, none, "openai/x")).authorization).toBe(`Bearer ${OWN}`);
    for (const invalid of [
      { id, provider: "unknown", key: OWN },
      { id, provider: "openai", key: `${OWN}\r\nx-a: b` },
      { id, provider: "openai", key: "short" },
    ])
      expect((await order(tenant, [invalid])).status).toBe(400);
    expect((await keysOf(CHAT, none, "openai/x")).authorization).toBe(`Bearer ${OWN}`);
    const log = await tenant.fetch("/api/admin/gateway/log", { headers: { "X-Platform-Role": "ADMIN" } });
    const text = readFileSync(`/proc/${tenant.processes("gateway")[0]?.pid}/environ`, "utf8");
    for (const readable of [text, await log.text(), JSON.stringify(await report(tenant)), tenant.output()])
      expect(readable).not.toContain(OWN);
  });
});
