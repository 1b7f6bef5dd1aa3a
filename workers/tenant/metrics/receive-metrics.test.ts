import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { eventually, type Tenant, TOKEN } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";
import { exportOf } from "./testing/otlp-export.ts";

const PATH = "/api/otel/v1/metrics";
const MIB = 1024 * 1024;

const test = base
  .extend("tenant", { scope: "file" }, ({ openFileTenant }) => openFileTenant())
  // A tenant with an AI gateway.
  .extend("bound", { scope: "file" }, ({ openFileTenant }) =>
    openFileTenant(undefined, {
      bindings: { AI_GATEWAY_ID: "pool-a", AI_GATEWAY_URL: "https://gateway.ai.example" },
    }),
  );

const gateway = { authorization: `Bearer ${TOKEN}` };
const json = { "content-type": "application/json" };

function send(tenant: Tenant, body: RequestInit["body"], headers: Record<string, string> = {}): Promise<Response> {
  return tenant.fetch(PATH, { method: "POST", headers: { ...gateway, ...json, ...headers }, body: body ?? null });
}

async function refusal(
  response: Response,
): Promise<{ status: number; code: string; message: string; details?: unknown }> {
  const { error } = JSON.parse(await response.text());
  return { status: response.status, ...error };
}

/** The written queries, input tokens and output tokens of a model. */
function counted(tenant: Tenant, model: string): number[] {
  const of = tenant.points().filter(({ blobs }) => blobs[0] === "ai_queries" && blobs[6] === model);
  return [0, 1, 2].map((column) => of.reduce((sum, { doubles }) => sum + (doubles[column] ?? 0), 0));
}

/** A point is written just after the response. */
const untilCounted = (tenant: Tenant, model: string, expected: number[]) =>
  eventually(() => JSON.stringify(counted(tenant, model)) === JSON.stringify(expected));

describe("an export", () => {
  test.for([
    ["nothing", "{}"],
    [
      "metrics that cost nothing",
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"up","gauge":{"dataPoints":[{"asInt":"1"}]}}]}]}]}',
    ],
    ["fields of a later version", '{"resourceMetrics":[{"novelty":{"x":[1]}}],"more":true}'],
  ])("of %s is acknowledged", async ([_, body], { tenant }) => {
    const response = await send(tenant, body);
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    expect(response.headers.get("content-type")).toContain("application/json");
  });

  test("becomes a point in the dataset, with queries and tokens", async ({ tenant }) => {
    expect((await send(tenant, exportOf(3, { time: 60, model: "plain" }))).status).toBe(200);
    await untilCounted(tenant, "plain", [3, 300, 30]);
    const point = tenant.points().find(({ blobs }) => blobs[6] === "plain");
    expect(point?.index).toBe("acme");
    expect(point?.blobs.slice(0, 7)).toEqual(["ai_queries", "", "development", "", "chat", "openai", "plain"]);
  });

  test("may be compressed with gzip", async ({ tenant }) => {
    const response = await send(tenant, gzipSync(exportOf(2, { time: 60, model: "packed" })), {
      "content-encoding": "gzip",
    });
    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    await untilCounted(tenant, "packed", [2, 200, 20]);
  });

  test("with cumulative counts is counted once when repeated, out of order, or after a cold start", async ({
    tenant,
  }) => {
    for (const [count, time] of [
      [2, 60],
      [2, 60],
      [5, 120],
      [2, 60],
    ] as const)
      await send(tenant, exportOf(count, { time, model: "growing" }));
    await untilCounted(tenant, "growing", [5, 500, 50]);
    await tenant.restartWorker();
    await send(tenant, exportOf(5, { time: 120, model: "growing" }));
    await send(tenant, exportOf(9, { time: 180, model: "growing" }));
    await untilCounted(tenant, "growing", [9, 900, 90]);
    // A restarted gateway counts from 0.
    await send(tenant, exportOf(4, { start: 200, time: 240, model: "growing" }));
    await send(tenant, exportOf(4, { start: 200, time: 240, model: "growing" }));
    await untilCounted(tenant, "growing", [13, 1300, 130]);
  });

  test("with delta counts is counted once when repeated", async ({ tenant }) => {
    const interval = (count: number, start: number) =>
      send(tenant, exportOf(count, { start, time: start + 60, temporality: 1, model: "added" }));
    await interval(2, 0);
    await interval(3, 60);
    await interval(2, 0);
    await tenant.restartWorker();
    await interval(3, 60);
    await interval(1, 120);
    await untilCounted(tenant, "added", [6, 600, 60]);
  });

  test("is counted once among twenty concurrent ones", async ({ tenant }) => {
    const sent = Array.from({ length: 20 }, (_, index) =>
      send(tenant, exportOf(1, { start: index * 60, time: index * 60 + 60, temporality: 1, model: "at-once" })),
    );
    expect((await Promise.all(sent)).every(({ status }) => status === 200)).toBe(true);
    await untilCounted(tenant, "at-once", [20, 2000, 200]);
  });

  test("reports points that cannot be counted, and counts the others", async ({ tenant }) => {
    const partly = JSON.parse(exportOf(1, { time: 60, model: "partly" }));
    partly.resourceMetrics[0].scopeMetrics[0].metrics.push({
      name: "gen_ai.client.operation.duration",
      sum: { aggregationTemporality: 1, dataPoints: [{ asInt: "1" }, { asInt: "2" }] },
    });
    const response = await send(tenant, JSON.stringify(partly));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      partialSuccess: {
        rejectedDataPoints: "2",
        errorMessage: "2: gen_ai.client.operation.duration must be a histogram",
      },
    });
    await untilCounted(tenant, "partly", [1, 100, 10]);
  });
});

describe("callers", () => {
  const as = (tenant: Tenant, headers: Record<string, string>) =>
    tenant.fetch(PATH, { method: "POST", headers: { ...json, ...headers }, body: "{}" });

  test("accepts administrators and the gateway", async ({ tenant }) => {
    for (const headers of [{ "X-Platform-Role": "ADMIN" }, { "X-Platform-Role": "ROOT" }, gateway])
      expect((await as(tenant, headers as Record<string, string>)).status).toBe(200);
  });

  test("rejects other users, and another token", async ({ tenant }) => {
    expect(await refusal(await as(tenant, { "X-Platform-Role": "BASE_USER" }))).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    const wrong = { "X-Platform-Role": "BASE_USER", authorization: `Bearer ${TOKEN}x` };
    expect(await refusal(await as(tenant, wrong))).toMatchObject({ status: 403, code: "forbidden" });
    for (const authorization of ["", "Bearer ", `Bearer ${TOKEN}x`, `Basic ${btoa(`x:${TOKEN}`)}`, TOKEN]) {
      const response = await as(tenant, authorization === "" ? {} : { authorization });
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      const refused = await refusal(response);
      expect(refused).toMatchObject({ status: 401, code: "authentication_required" });
      expect(JSON.stringify(refused)).not.toContain(TOKEN);
    }
  });
});

describe("refusals", () => {
  test("rejects another format, and names the supported one", async ({ tenant }) => {
    for (const type of ["application/x-protobuf", "text/plain", "application/jsonp"]) {
      const refused = await refusal(await send(tenant, new Uint8Array([10, 0]), { "content-type": type }));
      expect(refused).toMatchObject({ status: 415, code: "unsupported_media_type" });
      expect(refused.message).toContain("OTEL_EXPORTER_OTLP_PROTOCOL=http/json");
    }
    const untyped = await tenant.fetch(PATH, { method: "POST", headers: gateway, body: new Uint8Array([123, 125]) });
    expect((await refusal(untyped)).status).toBe(415);
    expect((await send(tenant, "{}", { "content-type": "application/JSON; charset=utf-8" })).status).toBe(200);
    expect(await refusal(await send(tenant, "{}", { "content-encoding": "br" }))).toMatchObject({ status: 415 });
  });

  test.for([
    ["nothing", ""],
    ["no JSON", "{"],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
  ])("%s", async ([_, body], { tenant }) => {
    expect(await refusal(await send(tenant, body))).toMatchObject({ status: 400, code: "invalid_request" });
  });

  test("rejects invalid or truncated gzip", async ({ tenant }) => {
    for (const body of [Buffer.from("{}"), gzipSync("{}").subarray(0, 12)])
      expect(await refusal(await send(tenant, body, { "content-encoding": "gzip" }))).toMatchObject({ status: 400 });
  });

  test("rejects invalid OTLP with the path and without the value", async ({ tenant }) => {
    const body = {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: "m", sum: { dataPoints: ["hush-hush"] } }] }] }],
    };
    const refused = await refusal(await send(tenant, JSON.stringify(body)));
    expect(refused).toMatchObject({
      status: 400,
      code: "invalid_request",
      details: { faults: [{ path: "resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints[0]" }] },
    });
    expect(JSON.stringify(refused)).not.toContain("hush");
  });

  test("rejects a value that is nested too deeply", async ({ tenant }) => {
    const deep = '{"arrayValue":{"values":['.repeat(20_000) + "]}}".repeat(20_000);
    const body = `{"resourceMetrics":[{"resource":{"attributes":[{"key":"k","value":${deep}}]}}]}`;
    expect(await refusal(await send(tenant, body))).toMatchObject({ status: 400, code: "invalid_request" });
  });

  test("rejects more than a mebibyte, with any encoding", async ({ tenant }) => {
    const padded = (bytes: number) => `{}${" ".repeat(bytes - 2)}`;
    expect((await send(tenant, padded(MIB))).status).toBe(200);
    expect((await send(tenant, gzipSync(padded(MIB)), { "content-encoding": "gzip" })).status).toBe(200);
    const tooLarge = { status: 413, code: "payload_too_large" };
    expect(await refusal(await send(tenant, padded(MIB + 1)))).toMatchObject(tooLarge);
    expect(await refusal(await send(tenant, gzipSync(padded(MIB + 1)), { "content-encoding": "gzip" }))).toMatchObject(
      tooLarge,
    );
    // In another thread: this one would notice too late which idle connections the Worker has closed.
    const bomb = await promisify(gzip)(Buffer.alloc(400 * MIB));
    expect(bomb.byteLength).toBeLessThan(MIB);
    expect(await refusal(await send(tenant, bomb, { "content-encoding": "gzip" }))).toMatchObject(tooLarge);
  });

  test("rejects a Content-Length that is too large before it reads the body", async ({ tenant }) => {
    const headers = { ...gateway, ...json, "content-length": String(50 * MIB) };
    const call = request(`${tenant.url}${PATH}`, { method: "POST", headers });
    call.on("error", () => {});
    call.flushHeaders();
    const [response] = await once(call, "response");
    expect(JSON.parse(await text(response)).error.code).toBe("payload_too_large");
    call.destroy();
  });

  test("stops reading an endless body without a length", async ({ tenant }) => {
    const call = request(`${tenant.url}${PATH}`, { method: "POST", headers: { ...gateway, ...json } });
    const ended = new Promise<number | "closed">((resolve) => {
      call.once("response", ({ statusCode }) => resolve(statusCode ?? 0));
      call.once("error", () => resolve("closed"));
    });
    const chunk = Buffer.alloc(64 * 1024, " ");
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    let sent = 0;
    while (!isOver && sent < 64 * MIB) {
      sent += chunk.byteLength;
      if (!call.write(chunk)) await Promise.race([new Promise((resolve) => call.once("drain", resolve)), ended]);
    }
    // A client that is still sending may lose the response with its connection.
    expect([413, "closed"]).toContain(await ended);
    expect(sent).toBeLessThan(64 * MIB);
    call.destroy();
  });

  test("rejects other methods and other signals", async ({ tenant }) => {
    for (const method of ["GET", "PUT", "DELETE"])
      expect(await refusal(await tenant.fetch(PATH, { method, headers: gateway }))).toMatchObject({
        status: 405,
        code: "method_not_allowed",
      });
    for (const path of ["/api/otel/v1/traces", "/api/otel/v1/logs", "/api/otel"])
      expect(
        (await refusal(await tenant.fetch(path, { method: "POST", headers: { ...gateway, ...json }, body: "{}" })))
          .status,
      ).toBe(404);
  });

  test("counts nothing, starts no gateway and leaves the Worker usable", async ({ tenant }) => {
    expect((await tenant.health("?passive=1")).status).toBe("stopped");
    expect(tenant.processes()).toEqual([]);
    const models = new Set(tenant.points().map(({ blobs }) => blobs[6]));
    expect([...models].sort()).toEqual(["added", "at-once", "growing", "packed", "partly", "plain"]);
  });
});

describe("of a tenant with an AI gateway", () => {
  test("counts queries to other servers; those through the AI gateway or without a server are in its log", async ({
    bound,
  }) => {
    const report = (model: string, server: string) => send(bound, exportOf(3, { time: 60, model, server }));
    for (const [model, server] of [
      ["through", "gateway.ai.example"],
      ["unsaid", ""],
      ["elsewhere", "api.openai.com"],
    ] as const)
      expect((await report(model, server)).status).toBe(200);
    const models = () => bound.points().filter(({ blobs }) => blobs[0] === "ai_queries");
    await eventually(() => models().length > 0);
    expect(new Set(models().map(({ blobs }) => blobs[6]))).toEqual(new Set(["elsewhere"]));
  });

  test("counts the queries of its log, and rejects an invalid order", async ({ bound }) => {
    const tell = (body: unknown) =>
      bound.fetch("/api/internal/ai-usage", { method: "POST", body: JSON.stringify(body) });
    const query = { id: "01", at: new Date().toISOString(), operation: "chat", provider: "openai", model: "logged" };
    const order = { queries: [{ ...query, inputTokens: 7, outputTokens: 2, cost: 40 }] };
    for (let i = 0; i < 2; i++) expect((await tell(order)).status).toBe(204);
    const found = () => bound.points().filter(({ blobs }) => blobs[6] === "logged");
    await eventually(() => found().length === 2);
    expect(found().map(({ blobs, doubles }) => [blobs[0], ...doubles.slice(0, 3)])).toEqual([
      ["ai_queries", 1, 7, 2],
      ["ai_spend", 40, 0, 0],
    ]);
    for (const rubbish of [{}, { queries: [query] }, { queries: [{ ...order.queries[0], cost: -1 }] }])
      expect((await tell(rubbish)).status).toBe(400);
  });
});
