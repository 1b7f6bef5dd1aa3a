/** When a tenant's container was last heard of. */
import * as z from "zod";
import { sqlText, sqlTime } from "#workers/shared/analytics-sql.ts";
import { analyticsOf, type Dataset } from "../../tenants/analytics.ts";

/** Who knows of heartbeats: the analytics dataset, which tenants' Workers write to. */
export interface HeartbeatSource {
  /**
   * When it was, ISO 8601 UTC; undefined for none in the dataset.
   *
   * @param since when the instance was created: what is older is of an earlier one
   * @throws Error when the dataset does not answer
   */
  latestHeartbeat(slug: string, since: Date): Promise<string | undefined>;
}

const heartbeat = z.object({ at: sqlTime });

/** The analytics dataset as a source: of the last day, as one that is older tells nothing of today. */
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

/** As the API tells it. Never rejects. */
export async function heartbeatOf(
  source: HeartbeatSource,
  slug: string,
  since: Date,
): Promise<{ at: string | null; reason: string | null }> {
  try {
    const at = await source.latestHeartbeat(slug, since);
    return at === undefined
      ? { at: null, reason: "The dataset holds no heartbeat of this tenant of the last day." }
      : { at, reason: null };
  } catch {
    return { at: null, reason: "The analytics dataset does not answer just now." };
  }
}
