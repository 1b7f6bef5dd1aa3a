/** Runs suites, each in a process of its own: what one leaves in memory or environment is none of another's figures. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import * as z from "zod";
import { eachAtMost } from "#fleet/runs/bounded.ts";
import { result } from "./report.ts";
import type { ByMode, Mode } from "./suite.ts";

/** Runs `main.ts SUITE`, or in tests another program with the same arguments and report. */
const MAIN = join(import.meta.dirname, "main.ts");
/** A smoke run's figures mean nothing, so that its suites may disturb each other. */
const AT_ONCE: ByMode<number> = { full: 1, smoke: 2 };

/** Milliseconds. */
export interface SuiteLimits {
  /** How long a suite may measure. */
  measure: number;
  /** How long its process may take to end once it has reported, or got SIGTERM. */
  end: number;
}
const LIMITS: ByMode<SuiteLimits> = {
  full: { measure: 30 * 60_000, end: 30_000 },
  smoke: { measure: 5 * 60_000, end: 30_000 },
};

const measuredSuite = z.object({ name: z.string(), results: z.array(result) });
export type MeasuredSuite = z.infer<typeof measuredSuite>;

/** @returns what was measured, in the order of the names; undefined for a suite that could not measure, or whose process did not end */
export function everySuite(
  names: readonly string[],
  mode: Mode,
  signal: AbortSignal,
  { program = MAIN, limits = LIMITS[mode] }: { program?: string; limits?: SuiteLimits } = {},
): Promise<(MeasuredSuite | undefined)[]> {
  return eachAtMost(AT_ONCE[mode], names, async (name) => {
    if (signal.aborted) return undefined;
    return oneSuite(fork(program, [name, ...(mode === "smoke" ? ["--smoke"] : [])]), name, limits, signal);
  });
}

function oneSuite(
  child: ChildProcess,
  name: string,
  limits: SuiteLimits,
  signal: AbortSignal,
): Promise<MeasuredSuite | undefined> {
  return new Promise((resolve, reject) => {
    let measured: MeasuredSuite | undefined;
    const complain = (what: string) => process.stderr.write(`${name}: ${what}\n`);
    const killLater = (why: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        complain(`${why}, but its process did not end within ${limits.end / 1000} s and was killed.`);
        child.kill("SIGKILL");
      }, limits.end);
    };
    const end = (why: string) => {
      child.kill("SIGTERM");
      killLater(why);
    };
    const onAbort = () => end("interrupted");
    let timer = setTimeout(() => {
      complain(`not finished after ${limits.measure / 1000} s; ending it.`);
      end("ended");
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
