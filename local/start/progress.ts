/** Shows progress on standard output: in one line of a terminal, else one line per resource type. */
import type { Step } from "#automation/engine/run/steps.ts";

const BAR = 24;

export class ProgressView {
  readonly #out: NodeJS.WriteStream;
  readonly #kinds = new Map<string, number>();
  #shown = false;

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out;
  }

  async step<T>(title: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#out.write(this.#out.isTTY ? `  ${title}…` : `  ${title}…\n`);
    const result = await work();
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    this.#clear();
    this.#out.write(this.#out.isTTY ? `  ${title} (${seconds} s)\n` : `    took ${seconds} s\n`);
    return result;
  }

  resource = ({ phase, done, total, type, name }: Step): void => {
    if (phase !== "done") return;
    this.#kinds.set(type, (this.#kinds.get(type) ?? 0) + 1);
    if (!this.#out.isTTY) return;
    const filled = Math.round((done / total) * BAR);
    this.#clear();
    this.#out.write(
      `  ${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${done}/${total} ${type} ${name}`.slice(
        0,
        this.#out.columns - 1,
      ),
    );
    this.#shown = true;
  };

  note(line: string): void {
    this.#clear();
    this.#out.write(`  ${line}\n`);
  }

  resourcesDone(): void {
    if (this.#shown) this.#clear();
    for (const [type, count] of [...this.#kinds].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      this.#out.write(`    ${String(count).padStart(3)} ${type}\n`);
    }
    this.#kinds.clear();
  }

  #clear(): void {
    if (this.#out.isTTY) this.#out.write("\r\x1b[2K");
  }
}
