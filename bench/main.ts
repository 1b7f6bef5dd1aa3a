/**
 * `npm run bench -- SUITE` prints a suite's figures. `all` runs every suite and writes `docs/benchmarks.md`. With `--smoke` each
 * measurement runs once with small sizes, to show that it can: nothing is judged or written. Ends with an error only when
 * something could not be measured.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { writeDocument } from "./document/write.ts";
import { interruption } from "./interruption.ts";
import { Report } from "./report.ts";
import type { Mode, Suite } from "./suite.ts";
import { suites } from "./suites.ts";

const ALL = "all";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { smoke: { type: "boolean" } } });
const [name = ""] = positionals;
const chosen = name === ALL ? suites : suites.filter((suite) => suite.name === name);
if (chosen.length === 0 || positionals.length !== 1) {
  process.stderr.write(`Usage: npm run bench -- ${[ALL, ...suites.map((suite) => suite.name)].join("|")} [--smoke]\n`);
  process.exitCode = 2;
} else await runAll(chosen, values.smoke === true ? "smoke" : "full");

async function runAll(list: readonly Suite[], mode: Mode): Promise<void> {
  const signal = interruption();
  const measured = [];
  for (const suite of list) {
    if (signal.aborted) break;
    const begun = performance.now();
    const report = new Report(mode === "full" ? print : () => {});
    print(`${suite.name}, on ${availableParallelism()} processors …`);
    try {
      await suite.measure({ mode, report, signal });
      if (mode === "full") report.printTargets();
      print(`${suite.name}: measured in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
      measured.push({ name: suite.name, results: report.results });
    } catch (error) {
      process.stderr.write(`${suite.name}: failed to measure: ${error instanceof Error ? error.stack : error}\n`);
      process.exitCode = 1;
    }
  }
  if (name === ALL && mode === "full" && measured.length === suites.length) await writeDocument(measured);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
