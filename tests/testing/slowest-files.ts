/** Prints the slowest test files of a run, and the share of set-up. */
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 20;
/** Smaller runs print nothing. */
const MIN_FILES = 40;

interface FileTime {
  name: string;
  seconds: number;
  /** Imports, hooks and fixtures. */
  setUpSeconds: number;
  /** Of its worker, and of the processes that ended in it. */
  processorSeconds: number;
}

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < MIN_FILES) return;
    const times = modules.map(timeOf).toSorted((a, b) => b.seconds - a.seconds);
    const total = sum(times.map(({ seconds }) => seconds));
    const setUp = sum(times.map(({ setUpSeconds }) => setUpSeconds));
    const lines = times
      .slice(0, SHOWN)
      .map(
        ({ name, seconds, setUpSeconds, processorSeconds }) =>
          `${format(seconds)} ${format(setUpSeconds)} ${format(processorSeconds)}  ${name}`,
      );
    const processor = sum(times.map(({ processorSeconds }) => processorSeconds));
    const share = Math.round((100 * setUp) / total);
    console.log(
      `\nThe ${lines.length} slowest of ${times.length} files: seconds, seconds of set-up, and processor seconds\n${lines.join("\n")}\n` +
        `All files: ${Math.round(total)} s, of which set-up ${Math.round(setUp)} s (${share} %); ${Math.round(processor)} processor seconds\n`,
    );
  }
}

function timeOf(module: TestModule): FileTime {
  const { collectDuration, duration } = module.diagnostic();
  const inTests = [...module.children.allTests()].map((test) => ({
    from: test.diagnostic()?.startTime ?? 0,
    ms: test.diagnostic()?.duration ?? 0,
  }));
  const seconds = (collectDuration + duration) / 1000;
  return {
    name: relative(process.cwd(), module.moduleId),
    seconds,
    setUpSeconds: Math.max(0, seconds - covered(inTests) / 1000),
    processorSeconds: module.meta().processorSeconds ?? 0,
  };
}

/** Milliseconds in which at least one test ran: tests of a file may run concurrently. */
function covered(spans: readonly { from: number; ms: number }[]): number {
  let end = Number.NEGATIVE_INFINITY;
  let total = 0;
  for (const { from, ms } of spans.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, from + ms - Math.max(from, end));
    end = Math.max(end, from + ms);
  }
  return total;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const format = (seconds: number) => seconds.toFixed(1).padStart(7);
