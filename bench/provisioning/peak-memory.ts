/** Peak memory of the engine's runs. Linux only. */
import { type Footprint, footprintOf } from "../memory/footprint.ts";

const SAMPLE_MS = 200;
/** A run's process, the parent of the engine and its plugins. */
const RUN = "automation/engine/main.ts";

/** @returns the result of `work`, and the largest total of all runs meanwhile */
export async function withPeak<T>(work: () => Promise<T>): Promise<{ result: T; peak: Footprint }> {
  let peak: Footprint = { processes: 0, resident: 0, proportional: 0 };
  const sample = setInterval(() => {
    const now = footprintOf(RUN);
    if (now.resident > peak.resident) peak = now;
  }, SAMPLE_MS);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(sample);
  }
}
