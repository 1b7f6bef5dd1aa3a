import { expect, test } from "vitest";
import { rollUp, rollupSql } from "./usage-rollup.ts";

test("queries one UTC day of an environment's metrics, corrected for sampling", () => {
  expect(rollupSql({ dataset: "tenantry", environment: "production", day: "2026-12-31" })).toBe(
    `SELECT index1 AS tenant, blob1 AS metric, SUM(_sample_interval * double1) AS quantity
FROM tenantry
WHERE timestamp >= toDateTime('2026-12-31 00:00:00') AND timestamp < toDateTime('2027-01-01 00:00:00')
AND blob3 = 'production' AND blob1 IN ('ai_queries', 'ai_spend', 'container_activity', 'container_uptime', 'object_storage_bandwidth', 'websocket_sessions')
GROUP BY tenant, metric
ORDER BY tenant, metric
FORMAT JSON`,
  );
});

test("queries only the client's own part of a day on which the slug changed its client", () => {
  const since = new Map([["acme", new Date("2026-12-31T12:00:00Z")]]);
  expect(rollupSql({ dataset: "tenantry", environment: "production", day: "2026-12-31", since })).toContain(
    "AND (index1 != 'acme' OR timestamp >= toDateTime(1798718400))",
  );
});

test("rejects an invalid day or dataset", () => {
  const scope = { dataset: "tenantry", environment: "production", day: "2026-12-31" } as const;
  expect(() => rollupSql({ ...scope, day: "2026-12-31'" })).toThrow("is not a day");
  expect(() => rollupSql({ ...scope, dataset: "tenantry; x" })).toThrow("is not the name of a dataset");
});

const clients = new Map([["acme", { id: "c1", createdAt: new Date("2026-11-23T18:00:00Z") }]]);

test("rounds the quantities of clients, and reports slugs without a client", () => {
  const rows = [
    { tenant: "acme", metric: "container_uptime", quantity: 3599.5 },
    { tenant: "acme", metric: "object_storage_bandwidth", quantity: 12_000_000_000 },
    { tenant: "gone", metric: "ai_queries", quantity: 3 },
    { tenant: "gone", metric: "ai_spend", quantity: 4 },
  ] as const;
  expect(rollUp("2026-11-23", rows, clients)).toEqual({
    day: "2026-11-23",
    usage: [
      { clientId: "c1", day: "2026-11-23", metric: "container_uptime", quantity: 3600n },
      { clientId: "c1", day: "2026-11-23", metric: "object_storage_bandwidth", quantity: 12_000_000_000n },
    ],
    unknown: ["gone"],
  });
});

test("assigns usage before a client's creation to the earlier client of the slug", () => {
  const rows = [{ tenant: "acme", metric: "ai_spend", quantity: 4 }] as const;
  expect(rollUp("2026-11-22", rows, clients)).toEqual({ day: "2026-11-22", usage: [], unknown: ["acme"] });
});
