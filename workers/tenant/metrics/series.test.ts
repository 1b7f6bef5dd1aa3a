import fc from "fast-check";
import { expect, test } from "vitest";
import { advance, type SeriesPoint, type SeriesState } from "./series.ts";

const START = 1_700_000_000_000_000_000n;

/** Counts exports as a receiver does. A restarted cumulative series is another series. */
function count(points: SeriesPoint[]): number {
  const known = new Map<string, SeriesState>();
  let total = 0;
  for (const point of points) {
    const series = point.temporality === "cumulative" ? point.start : "";
    const { increment, state } = advance(known.get(series), point);
    known.set(series, JSON.parse(JSON.stringify(state)));
    total += increment;
  }
  return total;
}

/** Exports of consecutive processes, each of which counts `increments` per interval. */
function exportsOf(temporality: SeriesPoint["temporality"], processes: number[][]): SeriesPoint[] {
  let now = START;
  return processes.flatMap((increments) => {
    const begun = now;
    let sum = 0;
    return increments.map((increment) => {
      const from = now;
      now += 1_000_000_007n;
      sum += increment;
      return temporality === "delta"
        ? { temporality, start: String(from), time: String(now), value: increment }
        : { temporality, start: String(begun), time: String(now), value: sum };
    });
  });
}

const processes = fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
const total = (all: number[][]): number => all.flat().reduce((sum, one) => sum + one, 0);

test.each(["delta", "cumulative"] as const)("counts the total once for any split into %s exports", (kind) => {
  fc.assert(fc.property(processes, (all) => void expect(count(exportsOf(kind, all))).toBe(total(all))));
});

test.each(["delta", "cumulative"] as const)("counts repeated %s exports once", (kind) => {
  const scenario = processes.chain((all) => {
    const points = exportsOf(kind, all);
    const again = fc.array(fc.record({ of: fc.nat(points.length - 1), later: fc.nat(points.length) }), {
      maxLength: 20,
    });
    return fc.record({ all: fc.constant(all), again });
  });
  fc.assert(
    fc.property(scenario, ({ all, again }) => {
      const points = exportsOf(kind, all);
      const repeats = again.flatMap(({ of, later }) => {
        const point = points[of];
        return point === undefined ? [] : [{ point, at: of + later + 0.5 }];
      });
      const sent = [...points.map((point, at) => ({ point, at })), ...repeats].sort((a, b) => a.at - b.at);
      expect(count(sent.map(({ point }) => point))).toBe(total(all));
    }),
  );
});

test("counts delta exports once in any order", () => {
  const shuffled = processes.chain((all) => {
    const points = exportsOf("delta", all);
    return fc.record({
      all: fc.constant(all),
      points: fc.shuffledSubarray(points, { minLength: points.length, maxLength: points.length }),
    });
  });
  fc.assert(fc.property(shuffled, ({ all, points }) => void expect(count(points)).toBe(total(all))));
});

test("counts interleaved cumulative exports of two processes once", () => {
  const [first, second] = exportsOf("cumulative", [[5], [7]]);
  const late = {
    temporality: "cumulative",
    start: String(START),
    time: String(START + 2_500_000_000n),
    value: 6,
  } as const;
  if (first === undefined || second === undefined) throw new Error("there are two exports");
  expect(count([first, second, late])).toBe(13);
});

test("counts a lost cumulative export with the next one", () => {
  const points = exportsOf("cumulative", [[1, 2, 3, 4]]);
  expect(count([0, 3].flatMap((index) => points[index] ?? []))).toBe(10);
});

test("treats a smaller value as a reset when the exporter has no start time", () => {
  const point = (time: bigint, value: number): SeriesPoint => ({
    temporality: "cumulative",
    start: "0",
    time: String(START + time),
    value,
  });
  expect(count([point(1n, 10), point(2n, 12), point(3n, 4), point(4n, 5), point(4n, 5)])).toBe(17);
});

test("stores a limited number of intervals of a delta series, and ignores older points", () => {
  const points = exportsOf("delta", [Array.from({ length: 500 }, () => 1)]);
  let state: SeriesState | undefined;
  for (const point of points) ({ state } = advance(state, point));
  expect(JSON.stringify(state).length).toBeLessThan(6_000);
  expect(points.map((point) => advance(state, point).increment).every((increment) => increment === 0)).toBe(true);
});
