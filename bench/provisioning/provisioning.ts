/** Tenants' stacks: previews and deployments of one, of several at once, and of many files, on a local edge of its own. */
import { availableParallelism } from "node:os";
import { interruption } from "../interruption.ts";
import { printTargets } from "../report.ts";
import { asked } from "./asked.ts";
import { deployments } from "./deployments.ts";
import { openFleet } from "./fleet.ts";
import { manyFiles } from "./many-files.ts";
import { previews } from "./previews.ts";

const MEASUREMENTS = [previews, deployments, manyFiles, asked];

export async function provisioning(): Promise<void> {
  process.stdout.write(`provisioning, on ${availableParallelism()} processors: a platform is being deployed …\n`);
  const interrupted = interruption();
  const fleet = await openFleet();
  try {
    for (const measure of MEASUREMENTS) {
      process.stdout.write("\n");
      await Promise.race([measure(fleet), interrupted]);
    }
    process.stdout.write("\n");
    printTargets();
  } finally {
    await fleet.close();
  }
}
