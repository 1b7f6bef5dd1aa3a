/** Runs `npm start` on a state directory, and kills one of its processes at a chosen moment. */
import { setTimeout as delay } from "node:timers/promises";
import { processesOf, type Run } from "../../testing/edge-program.ts";

export const killable = ["engine", "edge", "service"] as const;
export type Killable = (typeof killable)[number];

const POLL_MS = 20;

/** Kills a process a number of milliseconds after its start, unless everything has ended. */
export async function killAfter(run: Run, state: string, which: Killable, afterMs: number): Promise<void> {
  const ended = run.ended.then(() => true);
  const hasEnded = () => Promise.race([ended, delay(POLL_MS, false)]);
  let pid = find(run, state, which);
  while (pid === undefined && !(await hasEnded())) pid = find(run, state, which);
  if (pid === undefined) throw new Error(`npm start ended without a process of the ${which}:\n${run.output()}`);
  await Promise.race([ended, delay(afterMs)]);
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function find({ child }: Run, state: string, which: Killable): number | undefined {
  if (which === "edge") return child.pid;
  const command = which === "engine" ? /\bpulumi (up|update) / : /automation\/main\.ts/;
  return processesOf(state).find((found) => command.test(found.command))?.pid;
}
