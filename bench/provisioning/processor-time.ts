/** Processor time, which tells what is done even where a busy machine makes it last. Linux only. */
import { readFileSync } from "node:fs";
import { type Bounds, compare, quantile, type Side } from "../measure.ts";
import { printComparison, printFigures } from "../report.ts";

/** Of the clock by which the system counts (`getconf CLK_TCK`), the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** Milliseconds that children of this process took which have ended, with their own children. */
function ofChildren(): number {
  // The second field, a name in parentheses, may hold blanks.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

export interface TimedSide extends Side {
  /** Milliseconds of processor time of each round. */
  readonly processor: number[];
}

/** @param work one round; it starts what is measured as processes, and nothing else does so meanwhile @param prepare what is not measured */
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
      const before = ofChildren();
      const took = await work();
      processor.push(ofChildren() - before);
      return [took];
    },
  };
}

/** {@link compare}, printed with what the sides took of the processors. @param target the ratio of their times that should not be exceeded */
export async function printTimed(
  title: string,
  subject: TimedSide,
  baseline: TimedSide,
  { target, ...bounds }: Bounds & { target: number },
): Promise<void> {
  printComparison(title, "ms", await compare(subject, baseline, bounds), target);
  const median = ({ processor }: TimedSide) => quantile(processor, 0.5);
  printFigures("  processor time, medians", [
    ...[subject, baseline].map((side) => [side.name, `${(median(side) / 1000).toFixed(2)} s`] as const),
    ["ratio", (median(subject) / median(baseline)).toFixed(2)],
  ]);
}
