/** The control plane's figures: the dashboard Worker as deployed, in workerd, over a real Postgres with many rows. */
import { availableParallelism } from "node:os";
import { type ApiUnderTest, startApi } from "../../workers/dashboard/testing/start-api.ts";
import { interruption } from "../interruption.ts";
import { printTargets } from "../report.ts";
import { clientList } from "./client-list.ts";
import { globalAnalytics } from "./global-analytics.ts";
import { resolveTenant } from "./resolve-tenant.ts";

const MEASUREMENTS: readonly ((api: ApiUnderTest) => Promise<void>)[] = [clientList, resolveTenant, globalAnalytics];

export async function controlPlane(): Promise<void> {
  process.stdout.write(`control-plane, on ${availableParallelism()} processors: the dashboard is being started …\n`);
  const interrupted = interruption();
  const api = await startApi();
  try {
    for (const measure of MEASUREMENTS) {
      process.stdout.write("\n");
      await Promise.race([measure(api), interrupted]);
    }
    process.stdout.write("\n");
    printTargets();
  } finally {
    await api.stop();
  }
}
