/** A new tenant while one in ten calls of the Cloudflare API fails. */
import { RunFailed } from "#automation/engine/runs.ts";
import { measureTime } from "../measure.ts";
import { secondsText } from "../report.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { type Fleet, newTenant } from "./fleet.ts";
import { timedSide } from "./processor-time.ts";

const TARGET = 2;
const BOUNDS: ByMode<{ rounds: number; budgetMs: number }> = {
  full: { rounds: 20, budgetMs: 400_000 },
  smoke: { rounds: 1, budgetMs: 400_000 },
};
const ATTEMPTS = 3;

export async function measureUnderFaults(fleet: Fleet, run: Run): Promise<void> {
  const { weather } = fleet;
  const retries: string[] = [];
  const provision = async () => {
    const tenant = newTenant();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await fleet.up(tenant);
      } catch (error) {
        if (!(error instanceof RunFailed) || attempt === ATTEMPTS) throw error;
        retries.push(error.message);
      }
    }
  };
  const { samples } = await reportComparison(run, {
    title: "A new tenant while a tenth of the API calls fail",
    unit: "ms",
    subject: timedSide("with the edge's default API faults", async () => {
      weather.resume();
      try {
        return await measureTime(provision);
      } finally {
        weather.pause();
      }
    }),
    baseline: timedSide("without faults", () => measureTime(provision)),
    bounds: BOUNDS[run.mode],
    target: TARGET,
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  run.report.figures("A new tenant while a tenth of the API calls fail: means", [
    ["with faults", secondsText(mean(samples.subject))],
    ["without", secondsText(mean(samples.baseline))],
    ["failed runs that were repeated", String(retries.length)],
    [
      "faults",
      Object.entries(weather.injected())
        .map(([fault, count]) => `${count} ${fault}`)
        .join(", "),
    ],
  ]);
}
