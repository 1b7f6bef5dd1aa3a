/** Changes of inputs that would replace essential resources of a running platform, under traffic (`docs/reference/replacements.md`). */
import { setTimeout as delay } from "node:timers/promises";
import type { Stack } from "@pulumi/pulumi/automation/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Edge } from "#local/edge.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { changedResources } from "../testing/engine.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ROOT = "root@tenantry.example";
const [DASHBOARD, TENANT] = ["dash.tenantry.localhost", "acme.tenantry.localhost"];
/** Milliseconds between requests of one kind, below the dispatch Worker's rate limit. */
const BETWEEN_MS = 300;

let edge: Edge;
let close: () => Promise<void>;
let stack: Stack;

/** The platform's settings with the protection of production, and with changes. */
function settings(platform: object = {}, more: Record<string, unknown> = {}) {
  const whole = platformSettings([{ slug: "acme" }], more);
  return { ...whole, "tenantry:platform": { ...whole["tenantry:platform"], protect: true, ...platform } };
}

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  stack = await stackOf(edge, settings());
  await stack.up();
  await sql(edge, "create database empty");
  await callUntil(
    () => call(edge, TENANT, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).readiness.ok,
  );
});
afterAll(() => close());

/** Runs `task` under traffic to a tenant and the dashboard's API. @returns the number of requests, and the failures */
async function underTraffic(task: () => Promise<unknown>): Promise<{ made: number; failed: string[] }> {
  const root = await loggedIn(edge, ROOT, DASHBOARD);
  const requests = [
    () => call(edge, TENANT, "/api/health?passive=1"),
    () => call(edge, DASHBOARD, "/client", { headers: root }),
  ];
  const failed: string[] = [];
  let made = 0;
  let isOver = false;
  const loops = requests.map(async (request, index) => {
    while (!isOver) {
      const { status, body } = await request();
      made += 1;
      if (status >= 400) failed.push(`${index === 0 ? TENANT : DASHBOARD}: ${status} ${body.slice(0, 200)}`);
      await delay(BETWEEN_MS);
    }
  });
  try {
    await task();
  } finally {
    isOver = true;
    await Promise.all(loops);
  }
  return { made, failed };
}

test.each([
  [
    "environment",
    () => settings({}, { "tenantry:environment": "staging" }),
    /the environment of a deployed platform cannot be changed:\n.*has the platform of production/,
  ],
  [
    "account",
    () => settings({ accountId: "f".repeat(32) }),
    /marked for protection|Authentication|authentication|authorized/,
  ],
  ["zone", () => settings({ zoneId: "f".repeat(32) }), /marked for protection|Invalid zone identifier/],
  [
    "database that is empty",
    () => settings({}, { "tenantry:databaseUrl": edge.databaseUrl.replace(/[^/]+$/, "empty") }),
    /The database "empty" on \S+ has no Tenantry schema, but the account has this platform's Worker/,
  ],
])("refuses another %s in the preview and in the run, and removes nothing", async (_, changed, refusal) => {
  const before = edge.store.counts();
  const { made, failed } = await underTraffic(async () => {
    await stackOf(edge, changed());
    try {
      await expect(stack.preview()).rejects.toThrow(refusal);
      await expect(stack.up()).rejects.toThrow(refusal);
    } finally {
      await stackOf(edge, settings());
    }
    await stack.up();
  });
  expect(failed).toEqual([]);
  expect(made).toBeGreaterThan(2);
  expect(edge.store.counts()).toEqual(before);
  expect(await changedResources(stack, "preview")).toEqual([]);
});
