import { type ApiServer, account_id, startApiServer, writePoint } from "@tenantry/edge/testing/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { costPoint } from "#workers/contracts/tenant/metrics/cost-metrics.ts";
import { heartbeatOf, heartbeatSource } from "./heartbeat.ts";

const HOUR_MS = 3_600_000;

let cloudflare: ApiServer;
beforeEach(async () => {
  cloudflare = await startApiServer();
});
afterEach(() => cloudflare.close());

const source = (token = cloudflare.apiToken) =>
  heartbeatSource({
    CLOUDFLARE_API_URL: cloudflare.url,
    CF_ACCOUNT_ID: account_id,
    ANALYTICS_TOKEN: token,
    ANALYTICS_DATASET: "tenantry",
    ENVIRONMENT: "production",
  });

function beat(slug: string, at: number, environment = "production") {
  const { indexes, blobs, doubles } = costPoint(slug, {
    metric: "container_heartbeat",
    value: 1,
    dimensions: { status: "running", environment },
  });
  writePoint(cloudflare.analytics, "tenantry", { at, index: indexes[0], blobs, doubles });
}

test("returns the tenant's latest heartbeat of the last day in this environment", async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  beat("acme", now - 2 * HOUR_MS);
  beat("acme", now - HOUR_MS);
  beat("acme", now, "development");
  beat("other", now);
  beat("silent", now - 25 * HOUR_MS);
  expect(await heartbeatOf(source(), "acme", new Date(0), false)).toEqual({
    at: new Date(now - HOUR_MS).toISOString(),
    reason: null,
  });
  expect(await heartbeatOf(source(), "silent", new Date(0), false)).toEqual({
    at: null,
    reason: expect.stringContaining("No use of memory or disk"),
  });
});

test("reports an unavailable dataset", async () => {
  expect(await heartbeatOf(source("wrong"), "acme", new Date(0), false)).toEqual({
    at: null,
    reason: expect.stringContaining("temporarily unavailable"),
  });
  const { reason } = await heartbeatOf(source("wrong"), "acme", new Date(0), true);
  expect(reason).toBe("When the container was last seen is unknown at the moment.");
});

test("ignores heartbeats from before the instance was created", async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  beat("reused", now - 2 * HOUR_MS);
  const created = new Date(now - HOUR_MS);
  expect((await heartbeatOf(source(), "reused", created, false)).at).toBeNull();
  beat("reused", now - HOUR_MS / 2);
  expect((await heartbeatOf(source(), "reused", created, false)).at).toBe(new Date(now - HOUR_MS / 2).toISOString());
});
