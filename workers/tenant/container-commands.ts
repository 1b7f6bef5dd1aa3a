/**
 * Shell commands that look into a container and end what runs there, and what their output means.
 */
import {
  PROCESS_MARKER,
  type ProcessList,
  type SandboxProcess,
  STATE_MARKER_FILE,
  type StateInfo,
  startFailure,
  stateMarker,
} from "../contracts/sandbox.ts";

/** Where the image's startup script writes how it failed. */
const FAILURE_PATH = "/workspace/run/start-failure.json";

/** For `sh -c`: the marked processes, their states, and the last failure. */
export function processQuery(failurePath: string = FAILURE_PATH): string {
  return [
    `grep -aHzoE '^${PROCESS_MARKER}=(gateway|script):[0-9]+' /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'`,
    "grep -H '^State:' /proc/[0-9]*/status 2>/dev/null",
    `cat '${failurePath}' 2>/dev/null`,
    "true",
  ].join("; ");
}

/** For `sh -c`: whether there is a state, and its marker. */
export function stateQuery(directory: string): string {
  return `[ -n "$(ls -A '${directory}' 2>/dev/null)" ] && echo full; cat '${directory}/${STATE_MARKER_FILE}' 2>/dev/null; true`;
}

/** The state that the query's output tells. */
export function parseStateQuery(output: string): StateInfo {
  const [first, ...rest] = output.split("\n");
  if (first !== "full") return { empty: true };
  try {
    return { empty: false, id: stateMarker.parse(JSON.parse(rest.join("\n"))).id };
  } catch {
    return { empty: false };
  }
}

const MARKED = new RegExp(`^/proc/(\\d+)/environ:${PROCESS_MARKER}=(gateway|script):(\\d+)$`);
const STATE = /^\/proc\/(\d+)\/status:State:\s+(\S)/;

/** The process list that the query's output tells. */
export function parseProcessQuery(output: string): ProcessList {
  const lines = output.split("\n");
  const suspended = new Set<string>();
  for (const line of lines) {
    const [, pid, state] = STATE.exec(line) ?? [];
    if (pid !== undefined && state === "T") suspended.add(pid);
  }
  const processes: SandboxProcess[] = [];
  for (const line of lines) {
    const [, pid, type, owner] = MARKED.exec(line) ?? [];
    // A child inherits the marker with its parent's pid in it.
    if (pid === undefined || pid !== owner) continue;
    const status = suspended.has(pid) ? "suspended" : "running";
    processes.push({ id: pid, type: type === "gateway" ? "gateway" : "script", status });
  }
  const last = lines.find((line) => line.startsWith("{"));
  const failure = last === undefined ? undefined : startFailure.safeParse(JSON.parse(last));
  return { processes, ...(failure?.success ? { failure: failure.data } : {}) };
}

/** For `sh -c`: ends processes and their groups, by force what is left after five seconds. */
export function endCommand(pids: readonly string[]): string {
  const targets = pids.flatMap((pid) => [pid, `-${pid}`]).join(" ");
  const left = pids.map((pid) => `[ -d /proc/${pid} ]`).join(" || ");
  const wait = `n=0; while { ${left}; } && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done`;
  return `kill -s TERM -- ${targets} 2>/dev/null; ${wait}; kill -s KILL -- ${targets} 2>/dev/null; true`;
}
