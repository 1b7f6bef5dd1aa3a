/** Last heartbeat of a tenant's container. */
import * as z from "zod";
import { sqlText, sqlTime } from "#workers/shared/analytics-sql.ts";
import { analyticsOf, type Dataset } from "../../tenants/analytics.ts";

/** A source of heartbeats. */
export interface HeartbeatSource {
  /**
   * Returns the time in ISO 8601 UTC; `undefined` without a heartbeat.
   *
   * @param since creation of the instance; older heartbeats belong to an earlier one
   * @throws Error if the source is unavailable
   */
  latestHeartbeat(slug: string, since: Date): Promise<string | undefined>;
}

const heartbeat = z.object({ at: sqlTime });

/** Reads heartbeats of the last day from the analytics dataset. */
export function heartbeatSource(settings: Dataset & { ENVIRONMENT: string }): HeartbeatSource {
  const analytics = analyticsOf(settings);
  return {
    async latestHeartbeat(slug, since) {
      const [latest] = await analytics.query(
        `SELECT timestamp AS at FROM ${settings.ANALYTICS_DATASET}
         WHERE timestamp > NOW() - INTERVAL '1' DAY AND blob1 = 'container_heartbeat'
           AND timestamp >= toDateTime(${Math.floor(since.getTime() / 1000)})
           AND blob3 = ${sqlText(settings.ENVIRONMENT)} AND index1 = ${sqlText(slug)}
         ORDER BY at DESC LIMIT 1`,
        heartbeat,
      );
      return latest?.at.toISOString();
    },
  };
}

/** Returns the heartbeat for the API. Never rejects. @param isForTenant as of `probeInstance` */
export async function heartbeatOf(
  source: HeartbeatSource,
  slug: string,
  since: Date,
  isForTenant: boolean,
): Promise<{ at: string | null; reason: string | null }> {
  try {
    const at = await source.latestHeartbeat(slug, since);
    return at === undefined
      ? {
          at: null,
          reason: "No use of memory or disk was recorded in the last 24 hours. Records appear within minutes.",
        }
      : { at, reason: null };
  } catch {
    const reason = isForTenant
      ? "When the container was last seen is unknown at the moment."
      : "The analytics dataset is temporarily unavailable.";
    return { at: null, reason };
  }
}
