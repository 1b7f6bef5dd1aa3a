/** Where a sandbox's files lie. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import {
  STATE_MARKER_FILE,
  type StartFailure,
  type StateInfo,
  startFailure,
  stateMarker,
} from "../../workers/contracts/sandbox.ts";

const TAIL_BYTES = 256_000;

export interface SandboxDirectory {
  /** The sandbox's whole directory; also what marks its processes. */
  root: string;
  /** Working directory and home of its processes. */
  workspace: string;
  /** What the gateway keeps. */
  state: string;
  logs: string;
  run: string;
}

/** Makes what is missing of the sandbox's directory, readable by its owner only. */
export function openSandboxDirectory(root: string): SandboxDirectory {
  const at = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  return { root, workspace: at("workspace"), state: at("state"), logs: at("logs"), run: at("run") };
}

/** Removes everything in the sandbox's directory; a state that is gone by half never shows. */
export function emptySandboxDirectory({ root, state }: SandboxDirectory): void {
  const removed = join(root, "removed");
  rmSync(removed, { recursive: true, force: true });
  if (existsSync(state)) renameSync(state, removed);
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  openSandboxDirectory(root);
}

/** How the last start failed, as its startup script wrote it down. */
export function readFailure(directory: SandboxDirectory): StartFailure | undefined {
  const path = join(directory.run, "start-failure.json");
  // Mostly there is none, and it is asked for with each lookup.
  if (!existsSync(path)) return undefined;
  try {
    return startFailure.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** Whether there is a state, and which. */
export function readState({ state }: SandboxDirectory): StateInfo {
  try {
    if (readdirSync(state).length === 0) return { empty: true };
  } catch (error) {
    // A restore replaces the directory.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { empty: true };
    throw error;
  }
  try {
    const marker = stateMarker.parse(JSON.parse(readFileSync(join(state, STATE_MARKER_FILE), "utf8")));
    return { empty: false, id: marker.id };
  } catch {
    return { empty: false };
  }
}

/** The last lines of a log, at most 256 kB of it; none when there is no such log. */
export function tailLines(path: string, count: number): string[] {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return [];
  }
  try {
    const size = statSync(path).size;
    const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const read = readSync(file, buffer, 0, buffer.length, size - buffer.length);
    const text = buffer.subarray(0, read).toString("utf8").trimEnd();
    return text === "" ? [] : text.split("\n").slice(-count);
  } finally {
    closeSync(file);
  }
}
