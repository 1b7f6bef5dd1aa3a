/** A suite opens its set-up once and runs its measurements one after another. */
import { rejectionBy } from "@tenantry/std/within";
import { interruptInOrder } from "./interruption.ts";
import { type Bounds, type Comparison, compareSides, type Side } from "./measure.ts";
import type { Report } from "./report.ts";

/** `smoke` checks with one round and small sizes that a suite can measure. */
export type Mode = "full" | "smoke";

export type ByMode<T> = Readonly<Record<Mode, T>>;

export interface Run {
  mode: Mode;
  report: Report;
  /** Aborted to end the run early. */
  signal: AbortSignal;
}

export interface Suite {
  name: string;
  /** @throws Error when a measurement fails */
  measure(run: Run): Promise<void>;
}

export function defineSuite<Opened>(o: {
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
          await Promise.race([measurement(opened, run), rejectionBy(run.signal)]);
        }
      } finally {
        await o.close(opened);
      }
    },
  };
}

/** Compares and reports. @param o.target maximum ratio */
export async function reportComparison(
  { report, signal }: Run,
  o: { title: string; unit: string; subject: Side; baseline: Side; bounds: Bounds; target?: number },
): Promise<Comparison> {
  const compared = await compareSides(o.subject, o.baseline, o.bounds, signal);
  report.comparison(o.title, o.unit, compared, o.target);
  return compared;
}
