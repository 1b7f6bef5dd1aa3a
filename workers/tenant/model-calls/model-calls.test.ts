/** Calls of models from within a container, to an AI gateway that is elsewhere. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import OpenAI from "openai";
import { describe, expect } from "vitest";
import {
  AI_GATEWAY_URL_VARIABLE,
  METRICS_ENDPOINT_VARIABLE,
  NO_PROVIDER_KEY,
} from "#workers/contracts/tenant/sandbox.ts";
import { running } from "../testing/backup-tenant.ts";
import { eventually, type Tenant, TOKEN } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";
import { type FarAiGateway, type SeenCall, startFarAiGateway } from "./testing/far-ai-gateway.ts";

const AI_TOKEN = "token-of-the-ai-gateway";
const CHAT = "/v1/account-1/pool-a/compat/chat/completions";

/** Of the gateway's process. */
function environment(tenant: Tenant): Record<string, string> {
  const [gateway] = tenant.processes("gateway");
  const entries = readFileSync(`/proc/${gateway?.pid}/environ`, "utf8").split("\0");
  return Object.fromEntries(entries.map((entry) => /^([^=]+)=(.*)$/s.exec(entry)?.slice(1) ?? []));
}

const test = base
  .extend("far", { scope: "file" }, async ({ onFileFinished }) => {
    const far = await startFarAiGateway();
    onFileFinished(() => far.stop());
    return far;
  })
  .extend("tenant", { scope: "file" }, async ({ far, openFileTenant }) => {
    const tenant = await openFileTenant(undefined, {
      bindings: {
        CF_ACCOUNT_ID: "account-1",
        AI_GATEWAY_ID: "pool-a",
        AI_GATEWAY_URL: far.url,
        CF_AIG_AUTHORIZATION: AI_TOKEN,
        BILLING_PLAN: "pro",
        // Another client had the slug before. The default is the slug (tests/routing/model-turns.test.ts).
        AI_GATEWAY_TENANT: "acme~2",
        DEFAULT_MODEL: "openai/gpt-5-mini",
        PROVIDER_KEYS: JSON.stringify({ openai: "sk-openai", anthropic: "sk-ant" }),
      },
    });
    await running(tenant);
    return tenant;
  })
  // The AI gateway's address in the container.
  .extend("address", { scope: "file" }, ({ tenant }) => environment(tenant)[AI_GATEWAY_URL_VARIABLE] ?? "")
  // Asks as a program in the container does.
  .extend("ask", ({ address }) => (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
    const all = { "content-type": "application/json", ...headers };
    return fetch(address + path, { method: "POST", body: "{}", ...init, headers: all });
  })
  // What the AI gateway gets of a call.
  .extend("arrived", ({ ask, far }) => async (path: string, headers: Record<string, string> = {}, body = "{}") => {
    const response = await ask(path, headers, { body });
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    const call = far.calls.at(-1);
    if (call === undefined) throw new Error("no call arrived");
    return call;
  })
  // What it gets as the provider's key.
  .extend("keysOf", ({ arrived }) => async (path: string, headers: Record<string, string> = {}, model?: string) => {
    const { authorization, "x-api-key": apiKey } = (await arrived(path, headers, JSON.stringify({ model }))).headers;
    return { authorization, apiKey };
  });

test.afterEach(({ far }) => {
  far.answer = undefined;
  far.calls.length = 0;
});

test("a call arrives with the tenant's token and name, whole, and the answer comes back as it was", async ({
  far,
  ask,
}) => {
  const body = JSON.stringify({ model: "openai/gpt-5-mini", messages: ["ü".repeat(300_000)] });
  const response = await ask(`${CHAT}?a=b`, {}, { body });
  expect([response.status, response.headers.get("cf-aig-log-id"), await response.text()]).toEqual([200, "log-1", "{}"]);
  expect(far.calls).toMatchObject([{ method: "POST", url: `/ai-gateway${CHAT}?a=b`, body }]);
  const { headers } = far.calls[0] as SeenCall;
  expect(headers).toMatchObject({ "cf-aig-authorization": `Bearer ${AI_TOKEN}`, "content-type": "application/json" });
  expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
  expect(JSON.parse(String(headers["cf-aig-metadata"]))).toEqual({
    tenant: "acme~2",
    environment: "development",
    plan: "pro",
  });
});

test("the container has neither token nor providers' keys", ({ far, tenant, address }) => {
  const given = environment(tenant);
  expect(given).toMatchObject({ CF_ACCOUNT_ID: "account-1", AI_GATEWAY_ID: "pool-a", GATEWAY_TOKEN: TOKEN });
  expect(given.DEFAULT_MODEL).toBe("openai/gpt-5-mini");
  expect(address).not.toBe(far.url);
  const text = readFileSync(`/proc/${tenant.processes("gateway")[0]?.pid}/environ`, "utf8");
  for (const secret of [AI_TOKEN, "key-of-the-ai-gateway", "sk-openai", "sk-ant"]) expect(text).not.toContain(secret);
});

describe("what a caller says", () => {
  const ours = { tenant: "acme~2", environment: "development", plan: "pro" };

  test("of tenant and environment counts for nothing, and of other things up to the vendor's five", async ({
    arrived,
  }) => {
    const metadataOf = async (metadata: string) =>
      JSON.parse(String((await arrived(CHAT, { "cf-aig-metadata": metadata })).headers["cf-aig-metadata"]));
    expect(await metadataOf('{"tenant":"hooli","environment":"x","team":"\\u00fc"}')).toEqual({ ...ours, team: "ü" });
    const many = Object.keys(await metadataOf('{"a":1,"b":2,"tenant":"hooli","c":true,"d":4,"cf.user_id":"x"}'));
    expect(many).toEqual(["tenant", "environment", "plan", "a", "b"]);
    for (const rubbish of ["{", "[1]", '{"a":{}}', "null", '"x"']) expect(await metadataOf(rubbish)).toEqual(ours);
    expect(await metadataOf('{"__proto__":"x","constructor":"y"}')).toMatchObject(ours);
  });

  test("in the vendor's headers counts where it changes nothing of who pays, what it costs and what is logged", async ({
    arrived,
  }) => {
    const kept = {
      "cf-aig-skip-cache": "true",
      "cf-aig-cache-ttl": "60",
      "cf-aig-request-timeout": "5000",
      "cf-aig-max-attempts": "2",
      "cf-aig-no-wholesale": "true",
      "x-stainless-lang": "js",
    };
    const dropped = {
      "cf-aig-custom-cost": '{"total_cost":0}',
      "cf-aig-collect-log": "false",
      "cf-aig-collect-log-payload": "false",
      "cf-aig-byok-alias": "another",
      "cf-aig-cache-key": "shared",
      "cf-aig-event-id": "1",
      "cf-aig-zdr": "false",
      "cf-aig-to-come": "1",
      "cf-connecting-ip": "192.0.2.1",
      "x-forwarded-for": "192.0.2.1",
      forwarded: "for=192.0.2.1",
      "x-platform-role": "ROOT",
      cookie: "a=b",
    };
    const { headers } = await arrived(CHAT, { ...kept, ...dropped, "cf-aig-authorization": "Bearer stolen" });
    expect(headers).toMatchObject({ ...kept, "cf-aig-authorization": `Bearer ${AI_TOKEN}` });
    for (const name of Object.keys(dropped)) expect(headers).not.toHaveProperty(name);
  });
});

describe("a provider's key", () => {
  const none = { authorization: `Bearer ${NO_PROVIDER_KEY}` };

  test("is the platform's where the caller has none: that of the model's provider, or of the path's", async ({
    keysOf,
  }) => {
    for (const [model, key] of [
      ["openai/gpt-5-mini", "Bearer sk-openai"],
      ["anthropic/claude", "Bearer sk-ant"],
      ["workers-ai/@cf/meta/llama", `Bearer ${AI_TOKEN}`],
    ] as const)
      expect(await keysOf(CHAT, none, model)).toEqual({ authorization: key, apiKey: undefined });
    const anthropic = "/v1/account-1/pool-a/anthropic/v1/messages";
    expect(await keysOf(anthropic, { "x-api-key": NO_PROVIDER_KEY })).toEqual({
      authorization: undefined,
      apiKey: "sk-ant",
    });
  });

  test("that the caller has stays as it is", async ({ keysOf }) => {
    const own = { authorization: "Bearer sk-own", apiKey: undefined };
    expect(await keysOf(CHAT, { authorization: "Bearer sk-own" })).toEqual(own);
    expect(await keysOf(CHAT, { "x-api-key": "own" })).toEqual({ authorization: undefined, apiKey: "own" });
  });

  test("is none of a provider for which the platform has none, so that one stored with the AI gateway counts", async ({
    keysOf,
  }) => {
    const mistral = "/v1/account-1/pool-a/mistral/v1/chat/completions";
    expect(await keysOf(mistral, none)).toEqual({ authorization: undefined, apiKey: undefined });
    for (const model of ["mistral/small", "constructor/x", "gpt-5", "", undefined])
      expect(await keysOf(CHAT, none, model)).toEqual({ authorization: undefined, apiKey: undefined });
    const vendors = await keysOf("/v1/account-1/pool-a/workers-ai/v1/chat/completions", none);
    expect(vendors).toEqual({ authorization: `Bearer ${AI_TOKEN}`, apiKey: undefined });
  });
});

test("no other gateway is reached, nor what brings headers in its body, nor anything else", async ({ far, ask }) => {
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
    const response = await ask(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toMatchObject({ success: false, error: [{ code: 404 }] });
  }
  expect(far.calls).toEqual([]);
});

test("the ways of metrics and of models are two", async ({ far, tenant, address, ask }) => {
  const metrics = environment(tenant)[METRICS_ENDPOINT_VARIABLE] ?? "";
  const key = (url: string) => new URL(url).pathname.split("/")[1] ?? "";
  expect(key(metrics)).not.toBe(key(address));
  expect((await fetch(metrics.replace(/\/api.*/, CHAT), { method: "POST", body: "{}" })).status).toBe(415);
  expect((await ask("/api/internal/metrics")).status).toBe(404);
  expect(far.calls).toEqual([]);
});

test("a WebSocket is refused with the reason", async ({ far, address }) => {
  const { hostname, port, pathname } = new URL(`${address}/v1/account-1/pool-a/openai/realtime`);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
  );
  let got = "";
  socket.on("data", (bytes: Buffer) => {
    got += bytes;
  });
  await eventually(() => got.includes("WebSockets of the AI gateway are not supported"));
  expect(got).toMatch(/^HTTP\/1\.1 400 /);
  socket.destroy();
  expect(far.calls).toEqual([]);
});

describe("both ways stream", () => {
  /** Answers the next call by hand. */
  function byHand(far: FarAiGateway): Promise<{ request: IncomingMessage; response: ServerResponse }> {
    return new Promise((resolve) => {
      far.answer = (request, response) => resolve({ request, response });
    });
  }
  const piece = (text: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;

  test("an answer's pieces come one by one, as they are sent", async ({ far, address }) => {
    const called = byHand(far);
    const openai = new OpenAI({
      apiKey: NO_PROVIDER_KEY,
      baseURL: `${address}/v1/account-1/pool-a/compat`,
      maxRetries: 0,
    });
    const answer = openai.chat.completions.create({ model: "openai/x", messages: [], stream: true });
    const { request, response } = await called;
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const stream = (await answer)[Symbol.asyncIterator]();
    for (const text of ["one", "two", "three"]) {
      response.write(piece(text));
      // The next is not sent before this one has come.
      expect((await stream.next()).value?.choices[0]?.delta.content).toBe(text);
    }
    response.end("data: [DONE]\n\n");
    expect((await stream.next()).done).toBe(true);
  });

  test("a request's body arrives while it is sent", async ({ far, ask }) => {
    const called = byHand(far);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    // Whoever has a key is asked for no model.
    const own = { authorization: "Bearer sk-own" };
    const answer = ask(CHAT, own, { body: readable, duplex: "half" } as RequestInit);
    await writer.write(new TextEncoder().encode("zero"));
    const { request, response } = await called;
    expect(String((await once(request, "data"))[0])).toBe("zero");
    for (const text of ["one", "two"]) {
      const [[bytes]] = await Promise.all([once(request, "data"), writer.write(new TextEncoder().encode(text))]);
      expect(String(bytes)).toBe(text);
    }
    await writer.close();
    await once(request, "end");
    response.end("{}");
    expect((await answer).status).toBe(200);
  });

  test.for(["before the answer begins", "in the middle of the answer"])(
    "who goes away %s ends the far call",
    async (when, { far, ask }) => {
      const called = byHand(far);
      const leaving = new AbortController();
      const answer = ask(CHAT, {}, { signal: leaving.signal });
      const { request, response } = await called;
      request.resume();
      const closed = once(response, "close");
      if (when.startsWith("in the middle")) {
        response.writeHead(200, { "content-type": "text/event-stream" }).write(piece("one"));
        await (await answer).body?.getReader().read();
      }
      leaving.abort();
      answer.catch(() => {});
      expect(await Promise.race([closed.then(() => "ended"), delay(10_000, "goes on", { ref: false })])).toBe("ended");
    },
  );

  test("an answer that breaks off is an error for the caller, streamed or whole", async ({ far, address, ask }) => {
    const streamed = byHand(far);
    const openai = new OpenAI({
      apiKey: NO_PROVIDER_KEY,
      baseURL: `${address}/v1/account-1/pool-a/compat`,
      maxRetries: 0,
    });
    const answer = openai.chat.completions.create({ model: "openai/x", messages: [], stream: true });
    const first = await streamed;
    first.request.resume();
    first.response
      .writeHead(200, { "content-type": "text/event-stream" })
      .write(piece("one"), () => first.response.destroy());
    const pieces: unknown[] = [];
    const read = async () => {
      for await (const chunk of await answer) pieces.push(chunk.choices[0]?.delta.content);
    };
    await expect(read()).rejects.toThrow("The AI gateway's response ended early");
    expect(pieces).toEqual(["one"]);

    const whole = byHand(far);
    const other = ask(CHAT);
    const { response } = await whole;
    response.writeHead(200, { "content-length": "50" }).write("half", () => response.destroy());
    await expect(other.then((it) => it.text())).rejects.toThrow();
  });
});

describe("an AI gateway that", () => {
  test("refuses is heard of as it says it", async ({ far, ask }) => {
    far.answer = (_request, response) =>
      response
        .writeHead(429, { "content-type": "application/json", "retry-after": "7" })
        .end('{"error":[{"code":2045}]}');
    const response = await ask(CHAT);
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
      429,
      "7",
      '{"error":[{"code":2045}]}',
    ]);
  });

  test("cannot be reached is a 502 in its envelope, and a line in the log without a secret", async ({
    far,
    tenant,
    ask,
  }) => {
    far.answer = (_request, response) => response.destroy();
    const response = await ask(`${CHAT}?key=sk-in-the-address`);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      success: false,
      error: [{ code: 502, message: "The AI gateway cannot be reached. Try again." }],
    });
    await eventually(() => tenant.output().includes("ai-gateway.unreachable"));
  });
});

test("no secret is in what the Worker logs, nor in the gateway's log", async ({ tenant }) => {
  const { lines }: { lines: string[] } = JSON.parse(
    await (await tenant.fetch("/api/admin/gateway/log", { headers: { "X-Platform-Role": "ADMIN" } })).text(),
  );
  const text = tenant.output() + lines.join("\n");
  for (const secret of [AI_TOKEN, "sk-openai", "sk-ant", "sk-own", "sk-in-the-address"])
    expect(text).not.toContain(secret);
});

test("an answer that leads elsewhere is passed on, and nobody goes there with the token", async ({ far, ask }) => {
  far.answer = (_request, response) => response.writeHead(307, { location: `${far.url}/elsewhere` }).end();
  const response = await ask(CHAT, {}, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([307, `${far.url}/elsewhere`]);
});
