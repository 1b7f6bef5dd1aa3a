/** Where a sandbox's files lie. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
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

/** How the last start failed, as its startup script wrote it down. */
export function readFailure(directory: SandboxDirectory): StartFailure | undefined {
  try {
    return startFailure.parse(JSON.parse(readFileSync(join(directory.run, "start-failure.json"), "utf8")));
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
