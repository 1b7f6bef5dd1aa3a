/** Prints a table of the acceptance tests at the end of `npm run try:openclaw`, and what they measured. */
import type { Reporter, TestModule } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** Lines with measured figures. */
    figures?: string[];
  }
}

const RESULTS = { passed: "passed", failed: "FAILED", skipped: "skipped", pending: "not run" } as const;

/** Returns the median of some numbers, with their quartiles. */
export function quartiles(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): string => {
    const place = (sorted.length - 1) * share;
    const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return (low + (high - low) * (place % 1)).toFixed(2);
  };
  return `${at(0.5)} (quartiles ${at(0.25)} to ${at(0.75)}, rounds ${sorted.length})`;
}

export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const lines = tests.map((test) => {
      const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
      return `${RESULTS[test.result().state].padEnd(8)} ${seconds.padStart(6)} s  ${test.fullName}`;
    });
    const figures = tests.flatMap((test) => test.meta().figures ?? []);
    console.log(`\n${[...lines, ...figures].join("\n")}\n`);
  }
}
