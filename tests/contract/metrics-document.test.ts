/** Runs the queries of `docs/reference/metrics.md` on points as the tenant's Worker writes them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { costPoint, type Measurement } from "#workers/contracts/tenant/metrics/cost-metrics.ts";

/** By the sentence before the query. */
const EXPECTED: Readonly<Record<string, readonly object[]>> = {
  "Usage of each tenant in the last 30 days:": [
    {
      tenant: "globex",
      ai_queries: 0,
      tokens: 0,
      uptime_hours: 10,
      active_hours: 0,
      storage_gb: 0,
      websocket_sessions: 0,
    },
    // 3 + 10 × 1 + 2 + 5 queries; 150 + 10 × 15 + 10 + 2000 tokens; 2 × 5400 s awake.
    {
      tenant: "acme",
      ai_queries: 20,
      tokens: 2310,
      uptime_hours: 3,
      active_hours: 0.5,
      storage_gb: 4,
      websocket_sessions: 4,
    },
  ],
  "The last heartbeat of each tenant:": [
    { tenant: "acme", last_heartbeat: "2026-11-20 11:58:00" },
    { tenant: "globex", last_heartbeat: "2026-11-20 11:50:00" },
  ],
  "Tenants that used at least 80 % of disk or memory in the last hour:": [{ tenant: "acme", disk: 0.85, memory: 0.2 }],
  "Tenants with failing backups:": [{ tenant: "globex", what: "damaged", last_time: "2026-11-20 11:50:00" }],
  "Bytes by direction:": [
    { direction: "download", operation: "restore", bytes: 1e9 },
    { direction: "upload", operation: "backup", bytes: 3e9 },
  ],
};

const NOW = "2026-11-20T12:00:00Z";

let server: ApiServer;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(NOW) });
  server = await startApiServer();
  for (const write of [acme, globex]) write();
});
afterAll(async () => {
  await server.close();
  vi.useRealTimers();
});

const environment = "production";

function written(tenant: string) {
  return (at: string, measurement: Measurement, sampleInterval = 1): void => {
    const dimensions = { environment, ...measurement.dimensions };
    const { indexes, blobs, doubles } = costPoint(tenant, { ...measurement, dimensions });
    writePoint(server.analytics, "tenantry", { at: Date.parse(at), index: indexes[0], blobs, doubles, sampleInterval });
  };
}

const resources = (disk: number, memory: number) => ({
  disk: { usedBytes: disk, totalBytes: 100 },
  memory: { usedBytes: memory, totalBytes: 100 },
});

function acme(): void {
  const write = written("acme");
  const asked = (
    value: number,
    inputTokens: number,
    outputTokens: number,
    provider: string,
    model: string,
  ): Measurement => ({
    metric: "ai_queries",
    value,
    inputTokens,
    outputTokens,
    dimensions: { provider, model },
  });
  write("2026-11-19T10:00:00Z", asked(3, 100, 50, "openai", "gpt-a"));
  write("2026-11-19T23:59:59.999Z", asked(1, 10, 5, "openai", "gpt-a"), 10);
  write("2026-11-20T00:00:00Z", asked(2, 7, 3, "anthropic", "claude-b"));
  write("2026-11-12T12:00:00Z", asked(5, 1000, 1000, "openai", "gpt-a"));
  write("2026-11-20T11:00:00Z", { metric: "container_uptime", value: 5400, dimensions: {} }, 2);
  write("2026-10-20T11:00:00Z", { metric: "container_uptime", value: 36_000, dimensions: {} });
  write("2026-11-20T11:00:00Z", { metric: "container_activity", value: 1800, dimensions: {} });
  const moved = (direction: string, operation: string, value: number): Measurement => ({
    metric: "object_storage_bandwidth",
    value,
    dimensions: { direction, operation },
  });
  write("2026-11-20T10:00:00Z", moved("upload", "backup", 3e9));
  write("2026-11-20T10:00:00Z", moved("download", "restore", 1e9));
  write("2026-11-20T10:00:00Z", { metric: "websocket_sessions", value: 4, dimensions: {} });
  for (const [at, used] of [
    ["2026-11-20T11:30:00Z", resources(50, 20)],
    ["2026-11-20T11:58:00.900Z", resources(85, 10)],
  ] as const)
    write(at, { metric: "container_heartbeat", value: 1, resources: used, dimensions: { status: "running" } });
}

function globex(): void {
  const write = written("globex");
  write("2026-11-19T12:00:00Z", { metric: "container_uptime", value: 36_000, dimensions: {} });
  write("2026-11-20T11:50:00Z", { metric: "container_heartbeat", value: 1, dimensions: { status: "starting" } });
  const full = { metric: "container_heartbeat", value: 1, resources: resources(95, 95), dimensions: {} } as const;
  write("2026-11-20T10:00:00Z", full);
  write("2026-11-19T11:00:00Z", full);
  for (const [at, status] of [
    ["2026-11-20T10:59:00Z", "failed"],
    ["2026-11-20T11:40:00Z", "damaged"],
    ["2026-11-20T11:50:00Z", "damaged"],
  ] as const)
    write(at, { metric: "backup_failures", value: 1, dimensions: { status } });
}

const document = await readFile(join(import.meta.dirname, "../../docs/reference/metrics.md"), "utf8");
const queries = [...document.matchAll(/^([^\n]+)\n\n```sql\n(.*?)```/gms)].map(([, before = "", sql = ""]) => ({
  before,
  sql,
}));

test("includes every query of the document", () => {
  expect(document.match(/```sql/g)).toHaveLength(queries.length);
  expect(queries.map(({ before }) => before)).toEqual(Object.keys(EXPECTED));
});

test.each(queries)("$before", async ({ before, sql }) => {
  const response = await fetch(`${server.url}/accounts/${account_id}/analytics_engine/sql`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.apiToken}` },
    body: sql,
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const { data } = JSON.parse(text) as { data: object[] };
  // Without an order the result has none.
  const byText = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  if (sql.includes("ORDER BY")) expect(data).toEqual(EXPECTED[before]);
  else expect(byText(data)).toEqual(byText(EXPECTED[before] ?? []));
});
