/** Processor time of measured processes. Linux only. */
import { childrenSeconds } from "#tests/testing/processor-seconds.ts";
import { type Bounds, quantileOf, type Side } from "../measure.ts";
import { type Run, reportComparison } from "../suite.ts";

export interface TimedSide extends Side {
  readonly processor: number[];
}

/** @param work one round, during which no other child processes may run @param prepare is not measured */
export function timedSide(
  name: string,
  work: () => Promise<number>,
  prepare: () => Promise<void> = async () => {},
): TimedSide {
  const processor: number[] = [];
  return {
    name,
    processor,
    round: async () => {
      await prepare();
      const before = childrenSeconds();
      const took = await work();
      processor.push((childrenSeconds() - before) * 1000);
      return [took];
    },
  };
}

/** Compares in milliseconds, and reports processor time. @param o.target maximum ratio of the times */
export async function reportTimed(
  run: Run,
  o: { title: string; subject: TimedSide; baseline: TimedSide; bounds: Bounds; target: number },
): Promise<void> {
  await reportComparison(run, { ...o, unit: "ms" });
  const sides = [o.subject, o.baseline];
  const [ofSubject, ofBaseline] = sides.map(({ processor }) => quantileOf(processor, 0.5)) as [number, number];
  run.report.figures(`${o.title}: processor time, medians`, [
    [o.subject.name, `${(ofSubject / 1000).toFixed(2)} s`],
    [o.baseline.name, `${(ofBaseline / 1000).toFixed(2)} s`],
    ["ratio", (ofSubject / ofBaseline).toFixed(2)],
  ]);
}
