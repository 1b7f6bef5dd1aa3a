/** The dashboard's pages' figures: in a real browser, over the Worker as deployed. */
import { availableParallelism } from "node:os";
import { startPages } from "../../workers/dashboard/testing/start-pages.ts";
import { interruption } from "../interruption.ts";
import { scrolling } from "./scrolling.ts";

export async function pages(): Promise<void> {
  process.stdout.write(`pages, on ${availableParallelism()} processors: the dashboard is being started …\n`);
  const interrupted = interruption();
  const started = await startPages();
  try {
    process.stdout.write("\n");
    await Promise.race([scrolling(started), interrupted]);
  } finally {
    await started.stop();
  }
}
