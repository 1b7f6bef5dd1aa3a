/** `GET /analytics/global` over ten million points, uncached, against fewer points, against the cache, and against its queries alone. */
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { addClients } from "../../database/testing/many-clients.ts";
import { rollupSql } from "../../domain/billing/usage-rollup.ts";
import { type ApiServer, account_id, startApiServer } from "../../local/cloudflare/api/testing/api-server.ts";
import { addManyPoints } from "../../local/cloudflare/kinds/analytics/testing/many-points.ts";
import { usageByDay, usageByTenant } from "../../workers/dashboard/api/analytics/usage-queries.ts";
import { type ApiUnderTest, startApi } from "../../workers/dashboard/testing/start-api.ts";
import { AUDIENCE, DOMAIN } from "../../workers/dashboard/testing/start-dashboard.ts";
import { AnalyticsSql } from "../../workers/shared/analytics-sql.ts";
import { Client, type Target } from "../client.ts";
import { compare } from "../measure.ts";
import { printComparison, printFigures } from "../report.ts";

const MANY = 10_000_000;
const FEW = 100_000;
const TENANTS = 500;
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
const CACHED_CALLS = 20;
const BOUNDS = { rounds: 7, budgetMs: 120_000 };

/** Linear, at most. */
const SIZE_TARGET = MANY / FEW;
const CACHE_TARGET = 0.1;
const QUERIES_TARGET = 1.25;
const DAY_TARGET = 1.5;

const now = Math.floor(Date.now() / 1000) * 1000;
const from = now - SPAN_DAYS * DAY_MS;

export async function globalAnalytics(): Promise<void> {
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
      await addManyPoints(server.analytics, { dataset: DATASET, count, tenants: TENANTS, from, to: now });
      const api = await started(startApi(bindings(server)), (one) => one.stop());
      await addClients(api.database, "tenant", TENANTS);
      return { server, calls: await callsOf(api, client) };
    };
    const begun = performance.now();
    const many = await edge(MANY);
    printFigures(`${MANY} points of ${TENANTS} tenants in ${SPAN_DAYS} days`, [
      ["written and a dashboard started in", `${((performance.now() - begun) / 1000).toFixed(0)} s`],
      [
        "most memory of this process, the edge's store in it",
        `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
      ],
    ]);
    const few = await edge(FEW);
    await few.calls.uncached();
    await many.calls.uncached();
    printComparison(
      `GET /analytics/global, uncached: ${MANY} points against ${FEW}`,
      "ms",
      await compare(
        { name: `over ${MANY} points`, round: () => many.calls.uncached() },
        { name: `over ${FEW}`, round: () => few.calls.uncached() },
        BOUNDS,
      ),
      SIZE_TARGET,
    );
    printComparison(
      `GET /analytics/global over ${MANY} points: cached against uncached`,
      "ms",
      await compare(
        { name: "cached", round: () => many.calls.cached() },
        { name: "uncached", round: () => many.calls.uncached() },
        BOUNDS,
      ),
      CACHE_TARGET,
    );
    const analytics = sqlOf(many.server);
    let next = many.calls.nextDays();
    const queries = async () => {
      const days = next;
      next = after(next);
      return [await took(() => bareQueries(analytics, days))];
    };
    printComparison(
      `GET /analytics/global over ${MANY} points, uncached, against its queries alone`,
      "ms",
      await compare(
        { name: "GET /analytics/global, whole", round: () => many.calls.uncached() },
        { name: "its two queries, at once", round: queries },
        BOUNDS,
      ),
      QUERIES_TARGET,
    );
    await rollUp(many.server, few.server);
  } finally {
    client.close();
    for (const stop of stops) await stop();
  }
}

/** The roll-up's query of one day, with all the other days' points about it. */
async function rollUp(many: ApiServer, few: ApiServer): Promise<void> {
  const day = new Date(now - 5 * DAY_MS).toISOString().slice(0, 10);
  const begins = Date.parse(day);
  const count = Math.round(MANY / SPAN_DAYS);
  const points = { dataset: DAY_DATASET, count, tenants: TENANTS, from: begins, to: begins + DAY_MS };
  await addManyPoints(few.analytics, points);
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
  const [among, alone] = [asked(many, DATASET), asked(few, DAY_DATASET)];
  await among();
  await alone();
  printComparison(
    `the roll-up's query of one day, ${count} points`,
    "ms",
    await compare({ name: `among ${MANY}`, round: among }, { name: "with no others", round: alone }, BOUNDS),
    DAY_TARGET,
  );
}

function bindings({ url, apiToken }: ApiServer) {
  return { CF_ACCOUNT_ID: account_id, CLOUDFLARE_API_URL: url, ANALYTICS_TOKEN: apiToken, ANALYTICS_DATASET: DATASET };
}

function sqlOf({ url, apiToken }: ApiServer): AnalyticsSql {
  return new AnalyticsSql({ apiUrl: url, accountId: account_id, token: apiToken });
}

const after = (days: number) => (days === MOST_DAYS ? FEWEST_DAYS : days + 1);

/** Calls of a dashboard. Its answers are kept by the number of days: uncached ones are of another number each. */
async function callsOf(api: ApiUnderTest, client: Client) {
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
    cached: () => client.calls(target(last), CACHED_CALLS),
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
