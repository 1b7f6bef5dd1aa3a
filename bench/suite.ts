/** A suite: what it opens once, and what it measures with that, one measurement after the other. */
import { interruptInOrder } from "./interruption.ts";
import { type Bounds, type Comparison, compare, type Side } from "./measure.ts";
import type { Report } from "./report.ts";

/** `smoke` shows with one round and small sizes that a suite can measure. Its figures mean nothing. */
export type Mode = "full" | "smoke";

/** Sizes, rounds and times of a measurement. */
export type ByMode<T> = Readonly<Record<Mode, T>>;

/** What a measurement is given. */
export interface Run {
  mode: Mode;
  report: Report;
  /** Aborted when the run is to end before it is finished. */
  signal: AbortSignal;
}

export interface Suite {
  name: string;
  /** @throws Error when something could not be measured */
  measure(run: Run): Promise<void>;
}

export function suite<Opened>(o: {
  name: string;
  open(run: Run): Promise<Opened>;
  close(opened: Opened): Promise<unknown>;
  measurements: readonly ((opened: Opened, run: Run) => Promise<void>)[];
}): Suite {
  return {
    name: o.name,
    async measure(run) {
      const opened = await o.open(run);
      interruptInOrder();
      try {
        for (const measurement of o.measurements) {
          run.signal.throwIfAborted();
          await Promise.race([measurement(opened, run), aborted(run.signal)]);
        }
      } finally {
        await o.close(opened);
      }
    },
  };
}

/** {@link compare}, reported. @param target the ratio that should not be exceeded, if there is one */
export async function reportComparison(
  { report, signal }: Run,
  o: { title: string; unit: string; subject: Side; baseline: Side; bounds: Bounds; target?: number },
): Promise<Comparison> {
  const compared = await compare(o.subject, o.baseline, o.bounds, signal);
  report.comparison(o.title, o.unit, compared, o.target);
  return compared;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
