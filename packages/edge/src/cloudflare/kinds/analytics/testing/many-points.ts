/** Data of a platform with thousands of tenants over weeks. */
import { setImmediate } from "node:timers/promises";
import { blobs, doubles } from "../columns.ts";
import type { Analytics } from "../data-points.ts";

export interface ManyPoints {
  dataset: string;
  count: number;
  /** Slugs are `tenant-1`, `tenant-2` and so on. */
  tenants: number;
  /** Milliseconds since the epoch; `to` is exclusive. */
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

/** Pseudorandom numbers from 0 to 1, equal in every run. */
function numbersLikeChance(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5;
    return (state >>> 0) / 2 ** 32;
  };
}

interface Point {
  blobs: readonly string[];
  doubles: readonly number[];
}

function somePoint(chance: () => number): Point {
  const below = (most: number) => Math.floor(chance() * most);
  const [provider, model] = MODELS[below(MODELS.length)] ?? MODELS[0];
  const asked = ["", ENVIRONMENT, "", "chat", provider, model];
  switch (below(5)) {
    case 0:
      return { blobs: ["ai_queries", ...asked], doubles: [1 + below(3), below(8_000), below(2_000)] };
    case 1:
      return { blobs: ["ai_spend", ...asked], doubles: [below(50_000)] };
    case 2:
      return { blobs: ["container_uptime", "", ENVIRONMENT], doubles: [60] };
    case 3:
      return { blobs: ["container_activity", "", ENVIRONMENT], doubles: [below(61)] };
    default:
      return {
        blobs: ["container_heartbeat", "running", ENVIRONMENT],
        doubles: [1, 0, 0, below(2 ** 32), 2 ** 32, below(2 ** 30), 2 ** 30],
      };
  }
}

/** Adds points in blocks, and yields to the event loop. */
export async function addManyPoints(analytics: Analytics, many: ManyPoints): Promise<void> {
  const { dataset, count, tenants, from, to } = many;
  const chance = numbersLikeChance();
  for (let begun = 0; begun < count; begun += POINTS_AT_ONCE) {
    const length = Math.min(POINTS_AT_ONCE, count - begun);
    const points = Array.from({ length }, () => ({
      index: `tenant-${1 + Math.floor(chance() * tenants)}`,
      ...somePoint(chance),
    }));
    analytics.appendBlock(dataset, {
      timestamp: points.map((_, at) => Math.floor(from + ((begun + at) / count) * (to - from))),
      index1: points.map(({ index }) => index),
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
