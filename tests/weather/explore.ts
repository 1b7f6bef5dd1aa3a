/** `npm run weather -- [--seeds N] [--hours N] [--from SEED] [--journey NAME] [--jobs N]`: runs the journeys under more seeds. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import * as z from "zod";
import { ROOT } from "../testing/engine.ts";

const USAGE = `npm run weather -- [--seeds N] [--hours N] [--from SEED] [--journey NAME] [--jobs N]

  --seeds N       number of seeds (default 10; without a limit if --hours is set)
  --hours N       ends after this time
  --from SEED     first seed (default 1)
  --journey NAME  stack, dashboard or upgrade (default: stack and dashboard)
  --jobs N        seeds at the same time (default: one and a half for each processor; 1 with the journey upgrade, which has a fixed port)`;

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

async function runSeed(seed: number, tests: readonly string[]): Promise<{ failed: boolean; output: string }> {
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--no-color", "--maxWorkers=1", ...tests],
    {
      cwd: ROOT,
      env: { ...process.env, WEATHER_SEEDS: String(seed) },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [failed, out, err] = await Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { failed: failed !== 0, output: out + err };
}

const { seeds, hours, from, journey, jobs } = readOptions();
const tests = (journey === undefined ? ["stack", "dashboard"] : [journey]).map(
  (name) => `tests/weather/${name}.test.ts`,
);
const until = hours === undefined ? Number.POSITIVE_INFINITY : Date.now() + hours * 3_600_000;
const last = seeds === undefined && hours !== undefined ? Number.POSITIVE_INFINITY : from + (seeds ?? 10);
const failed: number[] = [];
let next = from;

async function runSeeds(): Promise<void> {
  while (next < last && Date.now() < until) {
    const seed = next;
    next += 1;
    const started = performance.now();
    const run = await runSeed(seed, tests);
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stdout.write(`Seed ${seed}: ${run.failed ? "failed" : "passed"} in ${seconds} s\n`);
    if (!run.failed) continue;
    failed.push(seed);
    process.stdout.write(`${run.output}\nReplay it: WEATHER_SEEDS=${seed} npm test -- ${tests.join(" ")}\n`);
  }
}

await Promise.all(Array.from({ length: journey === "upgrade" ? 1 : jobs }, runSeeds));
process.stdout.write(
  failed.length === 0
    ? `All ${next - from} seeds passed.\n`
    : `Failed seeds: ${failed.toSorted((a, b) => a - b).join(", ")}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
