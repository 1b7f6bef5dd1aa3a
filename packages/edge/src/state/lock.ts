/** One edge a state directory: the file `edge.lock` names the process that holds it. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * @returns a function that gives the directory free
 * @throws Error with one sentence when a living process holds it
 */
export function lockState(directory: string): () => void {
  const path = join(directory, "edge.lock");
  for (;;) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = Number(readFileSync(path, "utf8"));
    if (isAlive(holder)) {
      throw new Error(
        `The local edge runs already on ${directory} (process ${holder}); stop it, or use --state with another directory.`,
      );
    }
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
