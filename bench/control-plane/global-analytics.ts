/** `GET /analytics/global` over ten million points: compared with fewer points, with the cache, and with its queries alone. */
import { setTimeout } from "node:timers/promises";
import { type ApiServer, account_id, addManyPoints, startApiServer } from "@tenantry/edge/testing/api";
import * as z from "zod";
import { addClients } from "#database/testing/many-clients.ts";
import { rollupSql } from "#domain/billing/usage-rollup.ts";
import type { DashboardBindings, TextValues } from "#workers/contracts/bindings.ts";
import { usageByDay, usageByTenant } from "#workers/dashboard/api/analytics/usage-queries.ts";
import { type ApiUnderTest, startApi } from "#workers/dashboard/testing/start-api.ts";
import { AUDIENCE, DOMAIN } from "#workers/dashboard/testing/start-dashboard.ts";
import { AnalyticsSql } from "#workers/shared/analytics-sql.ts";
import { Client, repeatCall, type Target } from "../client.ts";
import { measureTime } from "../measure.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";

interface Sizes {
  rounds: number;
  budgetMs: number;
  /** Points of the large and of the small data set. */
  many: number;
  few: number;
  tenants: number;
  cachedCalls: number;
}

const BOUNDS: ByMode<Sizes> = {
  full: { rounds: 7, budgetMs: 120_000, many: 10_000_000, few: 100_000, tenants: 500, cachedCalls: 20 },
  smoke: { rounds: 1, budgetMs: 120_000, many: 2_000, few: 1_000, tenants: 5, cachedCalls: 1 },
};
const SPAN_DAYS = 60;
const DAY_MS = 86_400_000;
const DATASET = "tenantry";
/** Has only the points of one day of the large data set. */
const DAY_DATASET = "tenantry_day";

/** Each number of days has a cache entry of its own; the period before it must have points too. */
const MIN_DAYS = SPAN_DAYS / 2;
const MAX_DAYS = 45;
/** Longer than the API caches a response. */
const CACHE_MS = 61_000;

const CACHE_TARGET = 0.1;
const QUERIES_TARGET = 1.25;
const DAY_TARGET = 1.5;

const now = Math.floor(Date.now() / 1000) * 1000;
const from = now - SPAN_DAYS * DAY_MS;

export async function globalAnalytics(_api: ApiUnderTest, run: Run): Promise<void> {
  const { many, few, tenants, cachedCalls, ...bounds } = BOUNDS[run.mode];
  const { report } = run;
  const stops: (() => Promise<unknown>)[] = [];
  const started = async <Server>(starting: Promise<Server>, stop: (server: Server) => Promise<unknown>) => {
    const server = await starting;
    stops.unshift(() => stop(server));
    return server;
  };
  const client = new Client();
  try {
    const edge = async (count: number) => {
      const server = await started(startApiServer(), (running) => running.close());
      await addManyPoints(server.analytics, { dataset: DATASET, count, tenants, from, to: now });
      const api = await started(startApi(dashboardBindings(server)), (running) => running.stop());
      await addClients(api.database, "tenant", tenants);
      return { server, calls: await callsOf(api, client, cachedCalls) };
    };
    const startedAt = performance.now();
    const large = await edge(many);
    report.figures(`${many} points of ${tenants} tenants in ${SPAN_DAYS} days`, [
      ["written and a dashboard started in", `${((performance.now() - startedAt) / 1000).toFixed(0)} s`],
      ["peak memory of this process with the edge's store", `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`],
    ]);
    const small = await edge(few);
    const title = `GET /analytics/global over ${many} points`;
    await reportComparison(run, {
      title: `GET /analytics/global, uncached: ${many} points against ${few}`,
      unit: "ms",
      subject: { name: `over ${many} points`, round: () => large.calls.uncached() },
      baseline: { name: `over ${few}`, round: () => small.calls.uncached() },
      bounds,
      target: many / few,
    });
    await reportComparison(run, {
      title: `${title}: cached against uncached`,
      unit: "ms",
      subject: { name: "cached", round: () => large.calls.cached() },
      baseline: { name: "uncached", round: () => large.calls.uncached() },
      bounds,
      target: CACHE_TARGET,
    });
    const analytics = sqlOf(large.server);
    let next = large.calls.nextDays();
    const queries = async () => {
      const days = next;
      next = nextDays(next);
      return [await measureTime(() => bareQueries(analytics, days))];
    };
    await reportComparison(run, {
      title: `${title}, uncached, against its queries alone`,
      unit: "ms",
      subject: { name: "GET /analytics/global, whole", round: () => large.calls.uncached() },
      baseline: { name: "its two queries, concurrently", round: queries },
      bounds,
      target: QUERIES_TARGET,
    });
    await rollUp(large.server, small.server, run);
  } finally {
    client.close();
    for (const stop of stops) await stop();
  }
}

async function rollUp(large: ApiServer, small: ApiServer, run: Run): Promise<void> {
  const { many, tenants, ...bounds } = BOUNDS[run.mode];
  const day = new Date(now - 5 * DAY_MS).toISOString().slice(0, 10);
  const begins = Date.parse(day);
  const count = Math.round(many / SPAN_DAYS);
  await addManyPoints(small.analytics, { dataset: DAY_DATASET, count, tenants, from: begins, to: begins + DAY_MS });
  const rollUpOf = (server: ApiServer, dataset: string) => {
    const analytics = sqlOf(server);
    const sql = rollupSql({ dataset, environment: "production", day });
    return () => repeatCall(5, () => measureTime(() => analytics.query(sql, z.record(z.string(), z.unknown()))));
  };
  const [among, alone] = [rollUpOf(large, DATASET), rollUpOf(small, DAY_DATASET)];
  await among();
  await alone();
  await reportComparison(run, {
    title: `the roll-up's query of one day, ${count} points`,
    unit: "ms",
    subject: { name: `among ${many}`, round: among },
    baseline: { name: "with no others", round: alone },
    bounds,
    target: DAY_TARGET,
  });
}

function dashboardBindings({ url, apiToken }: ApiServer): Partial<TextValues<DashboardBindings>> {
  return { CF_ACCOUNT_ID: account_id, CLOUDFLARE_API_URL: url, ANALYTICS_TOKEN: apiToken, ANALYTICS_DATASET: DATASET };
}

function sqlOf({ url, apiToken }: ApiServer): AnalyticsSql {
  return new AnalyticsSql({ apiUrl: url, accountId: account_id, token: apiToken });
}

const nextDays = (days: number) => (days === MAX_DAYS ? MIN_DAYS : days + 1);

async function callsOf(api: ApiUnderTest, client: Client, cachedCalls: number) {
  const token = await api.access.token({ email: api.emails.root, aud: [AUDIENCE] });
  const target = (days: number): Target => ({
    port: Number(api.direct.port),
    path: `/analytics/global?days=${days}`,
    headers: { host: `dash.${DOMAIN}`, "cf-access-jwt-assertion": token },
  });
  const sentAt = new Map<number, number>();
  let [last, next] = [MIN_DAYS, MIN_DAYS];
  return {
    nextDays: () => next,
    uncached: async () => {
      last = next;
      next = nextDays(next);
      const before = sentAt.get(last);
      if (before !== undefined) await setTimeout(Math.max(0, before + CACHE_MS - performance.now()));
      const latency = await client.call(target(last));
      sentAt.set(last, performance.now());
      return [latency];
    },
    cached: () => client.calls(target(last), cachedCalls),
  };
}

async function bareQueries(analytics: AnalyticsSql, days: number): Promise<void> {
  const period = { environment: "production", dataset: DATASET, days, to: new Date(), tenants: undefined } as const;
  await Promise.all([usageByTenant(analytics, period), usageByDay(analytics, period)]);
}
