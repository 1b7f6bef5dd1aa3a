/** When a tenant's container was last heard of. */
/** Who knows of heartbeats: the analytics dataset, which tenants' Workers write to. */
export interface HeartbeatSource {
  /** When it was, ISO 8601 UTC; undefined for none in the dataset. @throws Error when the dataset does not answer */
  latestHeartbeat(slug: string): Promise<string | undefined>;
}

/** The platform's source; undefined while the dashboard has no binding to one. */
export function heartbeatSource(): HeartbeatSource | undefined {
  return undefined;
}

/** As the API tells it. Never rejects. */
export async function heartbeatOf(
  source: HeartbeatSource | undefined,
  slug: string,
): Promise<{ at: string | null; reason: string | null }> {
  if (source === undefined) return { at: null, reason: "This dashboard has no access to the analytics dataset." };
  try {
    const at = await source.latestHeartbeat(slug);
    return at === undefined
      ? { at: null, reason: "The dataset holds no heartbeat of this tenant." }
      : { at, reason: null };
  } catch {
    return { at: null, reason: "The analytics dataset does not answer just now." };
  }
}
