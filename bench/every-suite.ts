/** Runs suites, each in a process of its own: what one leaves in memory or environment is none of another's figures. */
import { fork } from "node:child_process";
import { join } from "node:path";
import * as z from "zod";
import { eachAtMost } from "../fleet/runs/bounded.ts";
import { result } from "./report.ts";
import type { ByMode, Mode } from "./suite.ts";

const MAIN = join(import.meta.dirname, "main.ts");
/** A smoke run's figures mean nothing, so that its suites may disturb each other. */
const AT_ONCE: ByMode<number> = { full: 1, smoke: 2 };

const measuredSuite = z.object({ name: z.string(), results: z.array(result) });
export type MeasuredSuite = z.infer<typeof measuredSuite>;

/** @returns what was measured, in the order of the names; undefined for a suite that could not measure */
export function everySuite(
  names: readonly string[],
  mode: Mode,
  signal: AbortSignal,
): Promise<(MeasuredSuite | undefined)[]> {
  return eachAtMost(AT_ONCE[mode], names, async (name) => (signal.aborted ? undefined : oneSuite(name, mode, signal)));
}

function oneSuite(name: string, mode: Mode, signal: AbortSignal): Promise<MeasuredSuite | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(MAIN, [name, ...(mode === "smoke" ? ["--smoke"] : [])]);
    const end = () => child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    let measured: MeasuredSuite | undefined;
    child.on("message", (message) => {
      const parsed = measuredSuite.safeParse(message);
      if (parsed.success) measured = parsed.data;
      else reject(parsed.error);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve(code === 0 ? measured : undefined);
    });
  });
}
