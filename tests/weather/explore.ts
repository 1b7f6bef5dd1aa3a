/** `npm run weather -- [--seeds N] [--hours N] [--from SEED] [--journey NAME] [--jobs N]`: runs the journeys under more seeds. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as z from "zod";
import { ROOT } from "../testing/engine.ts";

const USAGE = `npm run weather -- [--seeds N] [--hours N] [--from SEED] [--journey NAME] [--jobs N]

  --seeds N       number of seeds (default 10; without a limit if --hours is set)
  --hours N       ends after this time
  --from SEED     first seed (default 1)
  --journey NAME  stack, dashboard or upgrade (default: stack and dashboard)
  --jobs N        processes at the same time, each with five seeds (default: one and a half for each processor; 1 with the journey upgrade, which has a fixed port)`;

const count = z.coerce.number().positive();
const options = z.object({
  seeds: count.int().optional(),
  hours: count.optional(),
  from: z.coerce.number().int().min(0).default(1),
  journey: z.enum(["stack", "dashboard", "upgrade"]).optional(),
  // A journey waits half of its time.
  jobs: count.int().default(Math.ceil(1.5 * availableParallelism())),
});

function readOptions(): z.infer<typeof options> {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: "string" },
        hours: { type: "string" },
        from: { type: "string" },
        journey: { type: "string" },
        jobs: { type: "string" },
      },
    });
    return options.parse(values);
  } catch (error) {
    const faults = error instanceof z.ZodError ? error.issues.map(({ path, message }) => `--${path}: ${message}`) : [];
    process.stderr.write(`${faults.join("; ") || (error as Error).message}\n\n${USAGE}\n`);
    process.exit(1);
  }
}

/** Starting a process and loading its modules takes as much processor time as a journey. */
const SEEDS_OF_PROCESS = 5;

const testReport = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) })),
});

/** Runs journeys under several seeds, one after another. @returns the seeds that did not pass, and the output */
async function runSeeds(group: readonly number[], tests: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "tenantry-weather-"));
  const report = join(directory, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--no-color", "--maxWorkers=1", ...reporters, ...tests],
    {
      cwd: ROOT,
      env: { ...process.env, WEATHER_SEEDS: group.join(",") },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const closed = new Promise((resolve) => child.on("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  const passed = passedOf(report);
  rmSync(directory, { recursive: true });
  const failed = group.filter((seed) => passed.filter((title) => title.endsWith(` ${seed}`)).length < tests.length);
  return { failed, output: out + err };
}

/** Titles of the tests that passed. A run that was killed has none. */
function passedOf(report: string): string[] {
  if (!existsSync(report)) return [];
  const { testResults } = testReport.parse(JSON.parse(readFileSync(report, "utf8")));
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ title, status }) => (status === "passed" ? [title] : []));
}

const { seeds, hours, from, journey, jobs } = readOptions();
const tests = (journey === undefined ? ["stack", "dashboard"] : [journey]).map(
  (name) => `tests/weather/${name}.test.ts`,
);
const until = hours === undefined ? Number.POSITIVE_INFINITY : Date.now() + hours * 3_600_000;
const last = seeds === undefined && hours !== undefined ? Number.POSITIVE_INFINITY : from + (seeds ?? 10);
const failed: number[] = [];
let next = from;

async function explore(): Promise<void> {
  while (next < last && Date.now() < until) {
    const group = Array.from({ length: Math.min(SEEDS_OF_PROCESS, last - next) }, (_, index) => next + index);
    next += group.length;
    const started = performance.now();
    const run = await runSeeds(group, tests);
    const seconds = Math.round((performance.now() - started) / 1000);
    const of = `Seeds ${group.join(", ")}`;
    if (run.failed.length === 0) {
      process.stdout.write(`${of}: passed in ${seconds} s\n`);
      continue;
    }
    failed.push(...run.failed);
    process.stdout.write(`${of}: ${run.failed.join(", ")} failed in ${seconds} s\n${run.output}\n`);
    process.stdout.write(`Replay: WEATHER_SEEDS=${run.failed.join(",")} npm test -- ${tests.join(" ")}\n`);
  }
}

await Promise.all(Array.from({ length: journey === "upgrade" ? 1 : jobs }, explore));
process.stdout.write(
  failed.length === 0
    ? `All ${next - from} seeds passed.\n`
    : `Failed seeds: ${failed.toSorted((a, b) => a - b).join(", ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
