/**
 * `npm run bench -- SUITE` prints a suite's figures. `all` runs every suite and writes `docs/reference/benchmarks.md`. `--smoke` checks that each
 * measurement runs, with small sizes and without results. The exit code reports measurements that failed, not missed targets.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { writeDocument } from "./document/write.ts";
import { everySuite, type MeasuredSuite } from "./every-suite.ts";
import { interruptionSignal } from "./interruption.ts";
import { Report } from "./report.ts";
import type { Mode, Suite } from "./suite.ts";
import { suites } from "./suites.ts";

const ALL = "all";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { smoke: { type: "boolean" } } });
const mode: Mode = values.smoke === true ? "smoke" : "full";
const [name = ""] = positionals.length === 1 ? positionals : [];
const chosen = suites.find((suite) => suite.name === name);
if (name === ALL) await runAll();
else if (chosen !== undefined) await runOne(chosen);
else {
  process.stderr.write(`Usage: npm run bench -- ${[ALL, ...suites.map((suite) => suite.name)].join("|")} [--smoke]\n`);
  process.exitCode = 2;
}

async function runAll(): Promise<void> {
  const measured = await everySuite(
    suites.map((suite) => suite.name),
    mode,
    interruptionSignal(),
  );
  const complete = measured.filter((suite) => suite !== undefined);
  printLine(`${complete.length} of ${suites.length} suites measured`);
  if (complete.length < suites.length) process.exitCode = 1;
  else if (mode === "full") await writeDocument(complete);
}

async function runOne(suite: Suite): Promise<void> {
  const startedAt = performance.now();
  const report = new Report(mode === "full" ? printLine : () => {});
  printLine(`${suite.name}, on ${availableParallelism()} processors …`);
  try {
    await suite.measure({ mode, report, signal: interruptionSignal() });
    if (mode === "full") report.printTargets();
    printLine(`${suite.name}: measured in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    process.send?.({ name: suite.name, results: report.results } satisfies MeasuredSuite, () => process.disconnect());
  } catch (error) {
    process.stderr.write(`${suite.name}: failed to measure: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
