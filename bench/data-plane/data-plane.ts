/** The data plane's figures, all from one platform on a local edge of its own. */
import { availableParallelism } from "node:os";
import { interruption } from "../interruption.ts";
import { printTargets } from "../report.ts";
import { coldMiss } from "./cold-miss.ts";
import { dispatchCpu } from "./dispatch-cpu.ts";
import { healthSnapshot } from "./health-snapshot.ts";
import { openPlatform } from "./platform.ts";
import { proxying } from "./proxying.ts";
import { workersAlone } from "./workers-alone.ts";

const MEASUREMENTS = [workersAlone, dispatchCpu, coldMiss, healthSnapshot, proxying];

export async function dataPlane(): Promise<void> {
  process.stdout.write(`data-plane, on ${availableParallelism()} processors: a platform is being deployed …\n`);
  const interrupted = interruption();
  const platform = await openPlatform();
  try {
    for (const measure of MEASUREMENTS) {
      process.stdout.write("\n");
      await Promise.race([measure(platform), interrupted]);
    }
    process.stdout.write("\n");
    printTargets();
  } finally {
    await platform.close();
  }
}
