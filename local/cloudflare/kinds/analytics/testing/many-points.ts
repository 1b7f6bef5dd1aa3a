/** As many points as a platform writes in weeks, as `docs/metrics.md` has them. */
import { setImmediate } from "node:timers/promises";
import { costPoint, type Measurement } from "#workers/contracts/cost-metrics.ts";
import { blobs, doubles } from "../columns.ts";
import type { Analytics } from "../data-points.ts";

export interface ManyPoints {
  dataset: string;
  count: number;
  /** Slugs are `tenant-1` and on. */
  tenants: number;
  /** Milliseconds since the epoch: points come evenly from the first until shortly before the other. */
  from: number;
  to: number;
}

const POINTS_AT_ONCE = 16_384;
const ENVIRONMENT = "production";
const MODELS = [
  ["openai", "gpt-5-mini"],
  ["openai", "gpt-5"],
  ["anthropic", "claude-sonnet-4-5"],
] as const;

/** Numbers from 0 to 1 that look like chance, the same in every run. */
function numbersLikeChance(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    return (state >>> 0) / 2 ** 32;
  };
}

function measurement(chance: () => number): Measurement {
  const below = (most: number) => Math.floor(chance() * most);
  const [provider, model] = MODELS[below(MODELS.length)] ?? MODELS[0];
  const asked = { environment: ENVIRONMENT, operation: "chat", provider, model };
  switch (below(5)) {
    case 0:
      return {
        metric: "ai_queries",
        value: 1 + below(3),
        inputTokens: below(8_000),
        outputTokens: below(2_000),
        dimensions: asked,
      };
    case 1:
      return { metric: "ai_spend", value: below(50_000), dimensions: asked };
    case 2:
      return { metric: "container_uptime", value: 60, dimensions: { environment: ENVIRONMENT } };
    case 3:
      return { metric: "container_activity", value: below(61), dimensions: { environment: ENVIRONMENT } };
    default: {
      const disk = { usedBytes: below(2 ** 32), totalBytes: 2 ** 32 };
      const memory = { usedBytes: below(2 ** 30), totalBytes: 2 ** 30 };
      const dimensions = { environment: ENVIRONMENT, status: "running" };
      return { metric: "container_heartbeat", value: 1, resources: { disk, memory }, dimensions };
    }
  }
}

/** Adds them in blocks. Others have their turns. */
export async function addManyPoints(analytics: Analytics, many: ManyPoints): Promise<void> {
  const { dataset, count, tenants, from, to } = many;
  const chance = numbersLikeChance();
  for (let begun = 0; begun < count; begun += POINTS_AT_ONCE) {
    const length = Math.min(POINTS_AT_ONCE, count - begun);
    const points = Array.from({ length }, () =>
      costPoint(`tenant-${1 + Math.floor(chance() * tenants)}`, measurement(chance)),
    );
    analytics.appendBlock(dataset, {
      timestamp: points.map((_, at) => Math.floor(from + ((begun + at) / count) * (to - from))),
      index1: points.map(({ indexes }) => indexes[0]),
      ...Object.fromEntries(
        blobs.slice(0, 7).map((name, place) => [name, points.map((point) => point.blobs[place] ?? "")]),
      ),
      ...Object.fromEntries(
        doubles.slice(0, 7).map((name, place) => [name, points.map((point) => point.doubles[place] ?? 0)]),
      ),
    });
    await setImmediate();
  }
}
