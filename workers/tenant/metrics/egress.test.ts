import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Inside } from "@tenantry/edge/testing/runtime";
import { expect } from "vitest";
import { running } from "../testing/backup-tenant.ts";
import { eventually, type Tenant, TOKEN } from "../testing/harness.ts";
import { test as base } from "../testing/test.ts";
import { exportOf } from "./testing/otlp-export.ts";

const gateway = [process.execPath, join(import.meta.dirname, "testing/reporting-gateway.mjs")];

const test = base
  .extend("tenant", { scope: "file" }, async ({ openFileTenant }) => {
    const tenant = await openFileTenant(gateway);
    await running(tenant);
    return tenant;
  })
  // A URL for that of the container.
  .extend("address", { scope: "file" }, async ({ tenant, onFileFinished }) => {
    const inside = new Inside(tenant.processes("gateway")[0]?.pid ?? 0);
    onFileFinished(() => inside.close());
    return inside.reach((await environment(tenant)).OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? "");
  });

const report = async (tenant: Tenant, body: string, query = ""): Promise<{ status: number; body: unknown }> =>
  JSON.parse(await (await tenant.fetch(`/export${query}`, { method: "POST", body })).text());

const environment = async (tenant: Tenant): Promise<Record<string, string>> =>
  JSON.parse(await (await tenant.fetch("/environment")).text());

test("counts a gateway's export without a token", async ({ tenant }) => {
  expect(await report(tenant, exportOf(3, { time: 60, model: "reported" }))).toEqual({ status: 200, body: {} });
  const point = await eventually(() => tenant.points().find(({ blobs }) => blobs[6] === "reported"));
  expect([point.index, point.blobs[0], point.doubles.slice(0, 3)]).toEqual(["acme", "ai_queries", [3, 300, 30]]);
});

test("counts an SDK's protobuf export, and responds in protobuf", async ({ tenant, address }) => {
  const send = (body: Buffer) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf" },
      body: new Uint8Array(body),
    });
  const response = await send(readFileSync(join(import.meta.dirname, "testing/sdk-export.bin")));
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-protobuf"]);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
  const point = await eventually(() => tenant.points().find(({ blobs }) => blobs[6] === "größe"));
  expect([point.blobs[0], point.doubles.slice(0, 3)]).toEqual(["ai_queries", [3, 900, 0]]);
  expect((await send(Buffer.from("{}"))).status).toBe(400);
});

test("exposes the endpoint only in the gateway's environment", async ({ tenant }) => {
  const variables = await environment(tenant);
  expect(Object.keys(variables)).toEqual(["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"]);
  expect(JSON.stringify(variables)).not.toContain(TOKEN);
});

test("returns a refusal to the gateway completely", async ({ tenant }) => {
  const refusals = [
    [await report(tenant, "{"), 400, "invalid_request"],
    [await report(tenant, "{}", "?header=content-type:text/plain"), 415, "unsupported_media_type"],
    [await report(tenant, `{}${" ".repeat(1024 * 1024)}`), 413, "payload_too_large"],
  ] as const;
  for (const [answer, status, code] of refusals) expect(answer).toMatchObject({ status, body: { error: { code } } });
});

test("accepts metrics only, from this container only", async ({ tenant, address }) => {
  expect((await fetch(address)).status).toBe(405);
  const { hostname } = new URL((await environment(tenant)).OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? "");
  // In the machine's network, the path names the container; in its own, the host names the endpoint, at any path.
  const status = hostname === "127.0.0.1" ? 404 : 415;
  for (const path of ["/v1/metrics", "/api/admin/gateway/log", "/api/internal/tick"])
    expect((await fetch(new URL(path, address), { method: "POST", body: "{}" })).status).toBe(status);
});
