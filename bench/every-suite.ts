/** Runs each suite in a process of its own, so that its memory and environment do not affect other suites. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import * as z from "zod";
import { eachAtMost } from "#fleet/runs/bounded.ts";
import { result } from "./report.ts";
import type { ByMode, Mode } from "./suite.ts";

const MAIN = join(import.meta.dirname, "main.ts");
/** The figures of a smoke run have no meaning, so its suites may run concurrently. */
const CONCURRENCY: ByMode<number> = { full: 1, smoke: 2 };

export interface SuiteLimits {
  /** Time to measure a suite. */
  measure: number;
  /** Time for its process to end after its report or SIGTERM. */
  end: number;
}
const LIMITS: ByMode<SuiteLimits> = {
  full: { measure: 30 * 60_000, end: 30_000 },
  smoke: { measure: 5 * 60_000, end: 30_000 },
};

const measuredSuite = z.object({ name: z.string(), results: z.array(result) });
export type MeasuredSuite = z.infer<typeof measuredSuite>;

/** @returns results in the order of the names; undefined for a suite that failed or whose process did not end */
export function everySuite(
  names: readonly string[],
  mode: Mode,
  signal: AbortSignal,
  { program = MAIN, limits = LIMITS[mode] }: { program?: string; limits?: SuiteLimits } = {},
): Promise<(MeasuredSuite | undefined)[]> {
  return eachAtMost(CONCURRENCY[mode], names, async (name) => {
    if (signal.aborted) return undefined;
    return runSuite(fork(program, [name, ...(mode === "smoke" ? ["--smoke"] : [])]), name, limits, signal);
  });
}

function runSuite(
  child: ChildProcess,
  name: string,
  limits: SuiteLimits,
  signal: AbortSignal,
): Promise<MeasuredSuite | undefined> {
  return new Promise((resolve, reject) => {
    let measured: MeasuredSuite | undefined;
    const warn = (text: string) => process.stderr.write(`${name}: ${text}\n`);
    const killLater = (why: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        warn(`${why}, but its process did not end within ${limits.end / 1000} s and was killed.`);
        child.kill("SIGKILL");
      }, limits.end);
    };
    const end = (why: string) => {
      child.kill("SIGTERM");
      killLater(why);
    };
    const onAbort = () => end("interrupted");
    let timer = setTimeout(() => {
      warn(`not finished after ${limits.measure / 1000} s; stopping it.`);
      end("stopped");
    }, limits.measure);
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("message", (message) => {
      const parsed = measuredSuite.safeParse(message);
      if (!parsed.success) return reject(parsed.error);
      measured = parsed.data;
      killLater("measured");
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(code === 0 ? measured : undefined);
    });
  });
}
