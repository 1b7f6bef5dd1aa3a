import type { Analytics } from "../data-points.ts";

export interface WrittenPoint {
  /** Milliseconds since the epoch. */
  at: number;
  index?: string;
  blobs?: readonly string[];
  doubles?: readonly number[];
  /** Default: 1. */
  sampleInterval?: number;
}

const bytes = (text: string) => [...Buffer.from(text, "utf8")];
const numbered = <T>(kind: string, values: readonly T[]) =>
  Object.fromEntries(values.map((value, index) => [`${kind}${index + 1}`, value]));

export function writePoint(analytics: Analytics, dataset: string, point: WrittenPoint): void {
  const { at, index = "", blobs = [], doubles = [], sampleInterval } = point;
  const event = {
    timestamp: `${at}000000`,
    index1: bytes(index),
    ...numbered("blob", blobs.map(bytes)),
    ...numbered("double", doubles),
  };
  analytics.append(dataset, JSON.stringify(event), sampleInterval);
}
