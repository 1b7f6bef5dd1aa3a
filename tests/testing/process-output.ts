import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

export interface EndedProcess {
  code: number | null;
  /** Standard output. */
  output: string;
  /** Standard error. */
  progress: string;
}

/** Resolves when a process has ended. */
export async function processEnd(child: ChildProcess & { stdout: Readable; stderr: Readable }): Promise<EndedProcess> {
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [code, output, progress] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output, progress };
}
