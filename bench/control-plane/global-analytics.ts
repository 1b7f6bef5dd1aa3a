/** `GET /analytics/global` over ten million points, uncached, against fewer points, against the cache, and against its queries alone. */
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
import { Client, type Target } from "../client.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";

interface Sizes {
  rounds: number;
  budgetMs: number;
  /** Points of the large data set, and of the one that it is compared with. */
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
/** Of the points of one of the many's days, and nothing else. */
const DAY_DATASET = "tenantry_day";

/** From the first on, a period and the one before it have all points. */
const FEWEST_DAYS = SPAN_DAYS / 2;
const MOST_DAYS = 45;
/** How long the API keeps an answer of as many days, and a little. */
const KEPT_MS = 61_000;

const CACHE_TARGET = 0.1;
const QUERIES_TARGET = 1.25;
const DAY_TARGET = 1.5;

const now = Math.floor(Date.now() / 1000) * 1000;
const from = now - SPAN_DAYS * DAY_MS;

export async function globalAnalytics(_api: ApiUnderTest, run: Run): Promise<void> {
  const { many, few, tenants, cachedCalls, ...bounds } = BOUNDS[run.mode];
  const { report } = run;
  const stops: (() => Promise<unknown>)[] = [];
  const started = async <Thing>(starting: Promise<Thing>, stop: (thing: Thing) => Promise<unknown>): Promise<Thing> => {
    const thing = await starting;
    stops.unshift(() => stop(thing));
    return thing;
  };
  const client = new Client();
  try {
    const edge = async (count: number) => {
      const server = await started(startApiServer(), (one) => one.close());
      await addManyPoints(server.analytics, { dataset: DATASET, count, tenants, from, to: now });
      const api = await started(startApi(bindings(server)), (one) => one.stop());
      await addClients(api.database, "tenant", tenants);
      return { server, calls: await callsOf(api, client, cachedCalls) };
    };
    const begun = performance.now();
    const large = await edge(many);
    report.figures(`${many} points of ${tenants} tenants in ${SPAN_DAYS} days`, [
      ["written and a dashboard started in", `${((performance.now() - begun) / 1000).toFixed(0)} s`],
      [
        "most memory of this process, the edge's store in it",
        `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
      ],
    ]);
    const small = await edge(few);
    const title = `GET /analytics/global over ${many} points`;
    await reportComparison(run, {
      title: `GET /analytics/global, uncached: ${many} points against ${few}`,
      unit: "ms",
      subject: { name: `over ${many} points`, round: () => large.calls.uncached() },
      baseline: { name: `over ${few}`, round: () => small.calls.uncached() },
      bounds,
      // Linear, at most.
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
      next = after(next);
      return [await took(() => bareQueries(analytics, days))];
    };
    await reportComparison(run, {
      title: `${title}, uncached, against its queries alone`,
      unit: "ms",
      subject: { name: "GET /analytics/global, whole", round: () => large.calls.uncached() },
      baseline: { name: "its two queries, at once", round: queries },
      bounds,
      target: QUERIES_TARGET,
    });
    await rollUp(large.server, small.server, run);
  } finally {
    client.close();
    for (const stop of stops) await stop();
  }
}

/** The roll-up's query of one day, with all the other days' points about it. */
async function rollUp(large: ApiServer, small: ApiServer, run: Run): Promise<void> {
  const { many, tenants, ...bounds } = BOUNDS[run.mode];
  const day = new Date(now - 5 * DAY_MS).toISOString().slice(0, 10);
  const begins = Date.parse(day);
  const count = Math.round(many / SPAN_DAYS);
  await addManyPoints(small.analytics, { dataset: DAY_DATASET, count, tenants, from: begins, to: begins + DAY_MS });
  const asked = (server: ApiServer, dataset: string) => {
    const analytics = sqlOf(server);
    const sql = rollupSql({ dataset, environment: "production", day });
    return async () => {
      const latencies: number[] = [];
      for (let call = 0; call < 5; call++)
        latencies.push(await took(() => analytics.query(sql, z.record(z.string(), z.unknown()))));
      return latencies;
    };
  };
  const [among, alone] = [asked(large, DATASET), asked(small, DAY_DATASET)];
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

function bindings({ url, apiToken }: ApiServer): Partial<TextValues<DashboardBindings>> {
  return { CF_ACCOUNT_ID: account_id, CLOUDFLARE_API_URL: url, ANALYTICS_TOKEN: apiToken, ANALYTICS_DATASET: DATASET };
}

function sqlOf({ url, apiToken }: ApiServer): AnalyticsSql {
  return new AnalyticsSql({ apiUrl: url, accountId: account_id, token: apiToken });
}

const after = (days: number) => (days === MOST_DAYS ? FEWEST_DAYS : days + 1);

/** Calls of a dashboard. Its answers are kept by the number of days: uncached ones are of another number each. */
async function callsOf(api: ApiUnderTest, client: Client, cachedCalls: number) {
  const token = await api.access.token({ email: api.emails.root, aud: [AUDIENCE] });
  const target = (days: number): Target => ({
    port: Number(api.direct.port),
    path: `/analytics/global?days=${days}`,
    headers: { host: `dash.${DOMAIN}`, "cf-access-jwt-assertion": token },
  });
  const asked = new Map<number, number>();
  let [last, next] = [FEWEST_DAYS, FEWEST_DAYS];
  return {
    nextDays: () => next,
    uncached: async () => {
      last = next;
      next = after(next);
      const before = asked.get(last);
      if (before !== undefined) await setTimeout(Math.max(0, before + KEPT_MS - performance.now()));
      const latency = await client.call(target(last));
      asked.set(last, performance.now());
      return [latency];
    },
    /** What was asked last, again. */
    cached: () => client.calls(target(last), cachedCalls),
  };
}

async function bareQueries(analytics: AnalyticsSql, days: number): Promise<void> {
  const period = { environment: "production", dataset: DATASET, days, to: new Date(), tenants: undefined } as const;
  await Promise.all([usageByTenant(analytics, period), usageByDay(analytics, period)]);
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
