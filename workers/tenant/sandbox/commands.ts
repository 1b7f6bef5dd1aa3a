/**
 * Shell commands that look into a container and end what runs there, and what their output means.
 */
import {
  PROCESS_MARKER,
  type ProcessList,
  RESTORE_FULL,
  type ResourceUse,
  SANDBOX_MARKER,
  type SandboxProcess,
  SHARED_PROCESSES,
  STATE_MARKER_FILE,
  type StateInfo,
  startFailure,
  stateMarker,
} from "#workers/contracts/tenant/sandbox.ts";

/** A path as the container's environment has it: one that shares the machine's files has its own elsewhere. */
const place = (variable: string, standard: string): string => `\${${variable}:-${standard}}`;
const STATE = `"${place("STATE_DIR", "/workspace/state")}"`;
const RUN = place("RUN_DIR", "/workspace/run");
const LOGS = place("LOG_DIR", "/workspace/logs");
const SCRIPTS = place("TENANTRY_SCRIPTS", "/opt/tenantry");
const CGROUP = "/sys/fs/cgroup";
/** Of a start: looks for the script's mark, 10 ms apart. */
const LOOKS_FOR_MARK = 500;

/**
 * For `sh -c`: the marked processes, their states, the last failure, what of disk and memory is used, and whether the container is to
 * end. Every snapshot waits for it, so it starts few programs and reads few files of other containers.
 */
export function processQuery(): string {
  const groupFiles = ["current", "max", "stat"].map((file) => `${CGROUP}/memory.${file}`).join(" ");
  return [
    "set -- /proc/[0-9]*/environ; status=; group=",
    `if [ -n "$${SHARED_PROCESSES}" ]; then set -- $(grep -lzxF "${SANDBOX_MARKER}=$${SANDBOX_MARKER}" "$@" 2>/dev/null); fi`,
    `grep -aHzoE '^${PROCESS_MARKER}=(gateway|script):[0-9]+' "$@" /dev/null 2>/dev/null; echo`,
    // On the local edge the control group is the whole machine's.
    `for one; do status="$status \${one%environ}status"; done; [ -n "$${SANDBOX_MARKER}" ] || group="${groupFiles}"`,
    `grep -sHE '^((State|VmRSS|MemTotal):|([0-9]+|max|inactive_file [0-9]+)$)' $status /proc/meminfo $group`,
    `[ -f "${RUN}/start-failure.json" ] && cat "${RUN}/start-failure.json" 2>/dev/null`,
    "echo",
    `[ -d "${RUN}/ending" ] && echo ENDING`,
    `printf 'disk: '; df -kP ${STATE} 2>/dev/null`,
    "true",
  ].join("; ");
}

/** For `sh -c`: whether there is a state, and its marker. */
export function stateQuery(): string {
  return `[ -n "$(ls -A ${STATE} 2>/dev/null)" ] && echo full; cat ${STATE}/${STATE_MARKER_FILE} 2>/dev/null; true`;
}

/** For `sh -c`: the last lines of the startup script's log and of the gateway's. */
export function logQuery(lines: number): string {
  return `tail -qn ${lines} "${LOGS}/start.log" "${LOGS}/gateway.log" 2>/dev/null; true`;
}

/**
 * Runs the startup script by itself, so that it goes on whatever becomes of who started it. Prints its process id once it carries
 * its mark, so that every later look sees it.
 */
export function startCommand(): string[] {
  const script = `export ${PROCESS_MARKER}="script:$$"; exec node "${SCRIPTS}/start-gateway.mjs"`;
  const marked = `tr '\\0' '\\n' </proc/$pid/environ 2>/dev/null | grep -qx "${PROCESS_MARKER}=script:$pid"`;
  const command = [
    `mkdir -p "${LOGS}"`,
    `setsid sh -c "$1" </dev/null >"${LOGS}/start.log" 2>&1 & pid=$!`,
    `n=0; until ${marked} || [ $n -ge ${LOOKS_FOR_MARK} ]; do sleep 0.01; n=$((n+1)); done`,
    "echo $pid",
  ].join("; ");
  return ["sh", "-c", command, "sh", script];
}

/** Runs one of the image's scripts. */
export function scriptCommand(script: string, ...parameters: string[]): string[] {
  return ["sh", "-c", `exec node "${SCRIPTS}/$0" "$@"`, script, ...parameters];
}

const archive = `"${RUN}/archives/$0.tar.gz"`;
/** Prints an archive. */
export const readArchiveCommand = (name: string): string[] => ["sh", "-c", `exec cat ${archive}`, name];
/** Less than so many blocks of 1024 bytes that are free after a failure tell why it was. */
const HARDLY_ANY_BLOCKS = 64;
/** Writes an archive from its input. Exits with the code of `restore.mjs` for a disk that is full. */
export const writeArchiveCommand = (name: string): string[] => [
  "sh",
  "-c",
  [
    `umask 077; mkdir -p "${RUN}/archives" && cat > ${archive} && exit 0`,
    `set -- $(df -kP "${RUN}" | tail -n 1); [ "$4" -lt ${HARDLY_ANY_BLOCKS} ] && exit ${RESTORE_FULL}; exit 1`,
  ].join("; "),
  name,
];
export const removeArchiveCommand = (name: string): string[] => ["sh", "-c", `rm -f ${archive}`, name];

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
const STATE_LINE = /^\/proc\/(\d+)\/status:State:\s+(\S)/;

const RSS_LINE = /^\/proc\/(\d+)\/status:VmRSS:\s+(\d+) kB$/;
/** Blocks of 1024 bytes: all, used, free for who is not root. A line of headings may come before. */
const DISK_LINE = /^disk: (?:.*\n)??.*?(\d+)\s+(\d+)\s+(\d+)\s+\d+%/m;
const MEMORY_LINE = /^(?:\/proc\/meminfo:)?MemTotal:\s+(\d+) kB$/m;

const cgroupNumber = (output: string, file: string): number => {
  const [, value = ""] = new RegExp(`^${CGROUP}/memory\\.${file}(\\d+)$`, "m").exec(output) ?? [];
  return value === "" ? Number.NaN : Number(value);
};

/** The memory that the control group has or, without one, the processes of a family. @param family their ids */
function memoryOf(output: string, family: ReadonlySet<string>): ResourceUse | undefined {
  const machine = Number(MEMORY_LINE.exec(output)?.[1]) * 1024;
  if (Number.isNaN(machine)) return undefined;
  const current = cgroupNumber(output, "current:");
  if (!Number.isNaN(current)) {
    const limit = cgroupNumber(output, "max:");
    const cached = cgroupNumber(output, "stat:inactive_file ");
    const totalBytes = Number.isNaN(limit) ? machine : Math.min(limit, machine);
    return { usedBytes: Math.max(0, current - (Number.isNaN(cached) ? 0 : cached)), totalBytes };
  }
  if (family.size === 0) return undefined;
  let kilobytes = 0;
  for (const line of output.split("\n")) {
    const [, pid = "", size] = RSS_LINE.exec(line) ?? [];
    if (family.has(pid)) kilobytes += Number(size);
  }
  return { usedBytes: kilobytes * 1024, totalBytes: machine };
}

function diskOf(output: string): ResourceUse | undefined {
  const [, , used, free] = DISK_LINE.exec(output) ?? [];
  if (used === undefined) return undefined;
  return { usedBytes: Number(used) * 1024, totalBytes: (Number(used) + Number(free)) * 1024 };
}

export interface SeenProcesses extends ProcessList {
  /** Ids of those, and of all that they started. */
  family: string[];
}

/** What the query's output tells. */
export function parseProcessQuery(output: string): SeenProcesses {
  // What is read of an environment ends as its variables do.
  const lines = output.split(/[\n\0]/);
  const suspended = new Set<string>();
  for (const line of lines) {
    const [, pid, state] = STATE_LINE.exec(line) ?? [];
    if (pid !== undefined && state === "T") suspended.add(pid);
  }
  const processes: SandboxProcess[] = [];
  const family: string[] = [];
  for (const line of lines) {
    const [, pid, type, owner] = MARKED.exec(line) ?? [];
    if (pid === undefined) continue;
    family.push(pid);
    // A child inherits the marker with its parent's pid in it.
    if (pid !== owner) continue;
    const status = suspended.has(pid) ? "suspended" : "running";
    processes.push({ id: pid, type: type === "gateway" ? "gateway" : "script", status });
  }
  const last = lines.find((line) => line.startsWith("{"));
  const failure = last === undefined ? undefined : startFailure.safeParse(JSON.parse(last));
  const disk = diskOf(output);
  const memory = memoryOf(output, new Set(family));
  const isKnown = disk !== undefined || memory !== undefined;
  return {
    processes,
    family,
    ...(lines.includes("ENDING") && { ending: true }),
    ...(isKnown && { resources: { ...(disk && { disk }), ...(memory && { memory }) } }),
    ...(failure?.success ? { failure: failure.data } : {}),
  };
}

/** For `sh -c`: ends processes and their groups, by force what is left after five seconds. */
export function endCommand(pids: readonly string[]): string {
  const targets = pids.flatMap((pid) => [pid, `-${pid}`]).join(" ");
  const left = pids.map((pid) => `[ -d /proc/${pid} ]`).join(" || ");
  const wait = `n=0; while { ${left}; } && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done`;
  return `kill -s TERM -- ${targets} 2>/dev/null; ${wait}; kill -s KILL -- ${targets} 2>/dev/null; true`;
}
