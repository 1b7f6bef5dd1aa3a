/** Prints a table of the acceptance tests at the end of `npm run try:openclaw`. */
import type { Reporter, TestModule } from "vitest/node";

const RESULTS = { passed: "passed", failed: "FAILED", skipped: "skipped", pending: "not run" } as const;

export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const lines = tests.map((test) => {
      const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
      return `${RESULTS[test.result().state].padEnd(8)} ${seconds.padStart(6)} s  ${test.fullName}`;
    });
    console.log(`\n${lines.join("\n")}\n`);
  }
}
