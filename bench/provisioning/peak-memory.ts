/** The most that the engine's runs held in memory at a time. Linux only. */
import { type Footprint, footprintOf } from "../memory/footprint.ts";

const SAMPLE_MS = 200;
/** A run's process, of which the engine and its plug-ins descend. */
const RUN = "automation/engine/main.ts";

/** @returns what came of the work, and the largest footprint of all runs together while it lasted */
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
