import * as z from "zod";
import { storeUsage } from "#database/billing/usage.ts";
import { type MeteredClient, meteredClients } from "#database/tenants/clients.ts";
import { analyticsDataset } from "#domain/analytics-dataset.ts";
import { dayOf } from "#domain/billing/billing-month.ts";
import { usageMetrics } from "#domain/billing/usage-metric.ts";
import { type Rollup, rollUp, rollupSql, type UsageRow } from "#domain/billing/usage-rollup.ts";
import type { Environment } from "#domain/environment.ts";
import { AnalyticsSql, sqlNumber } from "#workers/shared/analytics-sql.ts";
import type { Settings } from "../settings.ts";
import { defineTask, type Run, type Task } from "../task.ts";

/** Row of the result of `rollupSql`. */
export const usageRow: z.ZodType<UsageRow> = z.object({
  tenant: z.string(),
  metric: z.enum(usageMetrics),
  quantity: sqlNumber.pipe(z.number().nonnegative()),
});

const CLIENTS_AT_ONCE = 200;
/** Number of days that are queried, with today: AI queries are counted up to twelve hours late. */
const DAYS = 3;
const MAX_NAMED_SLUGS = 20;
const DAY_MS = 86_400_000;

/** Returns days in UTC, oldest first. @param now in the last of them */
const latestDays = (now: Date): string[] =>
  Array.from({ length: DAYS }, (_, ago) =>
    new Date(now.getTime() - (DAYS - 1 - ago) * DAY_MS).toISOString().slice(0, 10),
  );

type Account = Pick<Settings, "CLOUDFLARE_API_URL" | "CLOUDFLARE_API_TOKEN" | "CLOUDFLARE_ACCOUNT_ID">;

/** Stores each tenant's usage by day from the analytics dataset, and books its cost. */
export function rollUpUsageTask(environment: Environment, account: Account): Task {
  const { CLOUDFLARE_API_URL: apiUrl, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: accountId } = account;
  const dataset = analyticsDataset(environment);
  const analytics = new AnalyticsSql({ apiUrl, accountId, token, dataset });
  return defineTask("roll_up_usage", z.unknown(), async (_payload, run) => {
    const clients = await meteredClients(run.db, environment);
    for (const day of latestDays(new Date())) {
      const queriedAt = new Date();
      const since = reusedOn(day, clients);
      const rows = await analytics.query(rollupSql({ dataset, environment, day, since }), usageRow, run.signal);
      const rollup = rollUp(day, rows, clients);
      await storeRollup(rollup, queriedAt, run);
    }
  });
}

/** Returns when reused slugs became their clients' on a day. */
const reusedOn = (day: string, clients: ReadonlyMap<string, MeteredClient>): Map<string, Date> =>
  new Map(
    [...clients]
      .filter(([, { createdAt, isReused }]) => isReused && dayOf(createdAt) === day)
      .map(([slug, { createdAt }]) => [slug, createdAt]),
  );

async function storeRollup(rollup: Rollup, queriedAt: Date, { db, log }: Run): Promise<void> {
  const ids = [...new Set(rollup.usage.map(({ clientId }) => clientId))];
  let changed = 0;
  for (let at = 0; at < ids.length; at += CLIENTS_AT_ONCE) {
    const part = new Set(ids.slice(at, at + CLIENTS_AT_ONCE));
    const usage = rollup.usage.filter(({ clientId }) => part.has(clientId));
    changed += (await db.transaction().execute((tx) => storeUsage(tx, { ...rollup, usage }, queriedAt))).length;
  }
  const level = rollup.unknown.length > 0 ? "warn" : "info";
  log(level, "usage_rolled_up", {
    day: rollup.day,
    clients: ids.length,
    changed,
    unknown: rollup.unknown.slice(0, MAX_NAMED_SLUGS).join(" "),
  });
}
