/** Shell commands that inspect a container and end its processes, and parsers of their output. */
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

// On the local edge, containers share the machine's file system, so the environment sets their paths.
const STATE = `"\${STATE_DIR:-/workspace/state}"`;
const RUN = `\${RUN_DIR:-/workspace/run}`;
const LOGS = `\${LOG_DIR:-/workspace/logs}`;
const SCRIPTS = `\${TENANTRY_SCRIPTS:-/opt/tenantry}`;
const CGROUP = "/sys/fs/cgroup";
/** Polls for the startup script's marker, 10 ms apart. */
const MARKER_POLLS = 500;

/**
 * Returns a shell command that prints the marked processes, their states, the last failure, the use of disk and memory, and whether the
 * container is ending. Every snapshot waits for it, so it starts few programs and reads few files of other containers.
 */
export function processQuery(): string {
  const groupFiles = ["current", "max", "stat"].map((file) => `${CGROUP}/memory.${file}`).join(" ");
  return [
    "set -- /proc/[0-9]*/environ; status=; group=",
    `if [ -n "$${SHARED_PROCESSES}" ]; then set -- $(grep -lzxF "${SANDBOX_MARKER}=$${SANDBOX_MARKER}" "$@" 2>/dev/null); fi`,
    `grep -aHzoE '^${PROCESS_MARKER}=(gateway|script):[0-9]+' "$@" /dev/null 2>/dev/null; echo`,
    // On the local edge, the control group is that of the whole machine.
    `for one; do status="$status \${one%environ}status"; done; [ -n "$${SANDBOX_MARKER}" ] || group="${groupFiles}"`,
    `grep -sHE '^((State|VmRSS|MemTotal):|([0-9]+|max|inactive_file [0-9]+)$)' $status /proc/meminfo $group`,
    `[ -f "${RUN}/start-failure.json" ] && cat "${RUN}/start-failure.json" 2>/dev/null`,
    "echo",
    `[ -d "${RUN}/ending" ] && echo ENDING`,
    `printf 'disk: '; df -kP ${STATE} 2>/dev/null`,
    "true",
  ].join("; ");
}

/** Returns a shell command that prints whether a state exists, and its marker. */
export function stateQuery(): string {
  return `[ -n "$(ls -A ${STATE} 2>/dev/null)" ] && echo full; cat ${STATE}/${STATE_MARKER_FILE} 2>/dev/null; true`;
}

/** Returns a shell command that prints the last lines of the logs of the startup script and the gateway. */
export function logQuery(lines: number): string {
  return `tail -qn ${lines} "${LOGS}/start.log" "${LOGS}/gateway.log" 2>/dev/null; true`;
}

/** Starts the startup script in a session of its own. Prints its process id once later queries can find its marker. */
export function startCommand(): string[] {
  const script = `export ${PROCESS_MARKER}="script:$$"; exec node "${SCRIPTS}/start-gateway.mjs"`;
  const marked = `tr '\\0' '\\n' </proc/$pid/environ 2>/dev/null | grep -qx "${PROCESS_MARKER}=script:$pid"`;
  const command = [
    `mkdir -p "${LOGS}"`,
    `setsid sh -c "$1" </dev/null >"${LOGS}/start.log" 2>&1 & pid=$!`,
    `n=0; until ${marked} || [ $n -ge ${MARKER_POLLS} ]; do sleep 0.01; n=$((n+1)); done`,
    "echo $pid",
  ].join("; ");
  return ["sh", "-c", command, "sh", script];
}

/** Runs a script of the image. */
export const scriptCommand = (script: string, ...parameters: string[]): string[] => [
  ...["sh", "-c", `exec node "${SCRIPTS}/$0" "$@"`],
  ...[script, ...parameters],
];

const archive = `"${RUN}/archives/$0.tar.gz"`;
export const readArchiveCommand = (name: string): string[] => ["sh", "-c", `exec cat ${archive}`, name];
/** With fewer free blocks of 1024 bytes after a failed write, the disk counts as full. */
const FULL_DISK_BLOCKS = 64;
/** Writes an archive from standard input. Exits with {@link RESTORE_FULL} when the disk is full. */
export const writeArchiveCommand = (name: string): string[] => [
  "sh",
  "-c",
  [
    `umask 077; mkdir -p "${RUN}/archives" && cat > ${archive} && exit 0`,
    `set -- $(df -kP "${RUN}" | tail -n 1); [ "$4" -lt ${FULL_DISK_BLOCKS} ] && exit ${RESTORE_FULL}; exit 1`,
  ].join("; "),
  name,
];
export const removeArchiveCommand = (name: string): string[] => ["sh", "-c", `rm -f ${archive}`, name];

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
/** Blocks of 1024 bytes: total, used, free for users other than root. A line of headings may precede it. */
const DISK_LINE = /^disk: (?:.*\n)??.*?(\d+)\s+(\d+)\s+(\d+)\s+\d+%/m;
const MEMORY_LINE = /^(?:\/proc\/meminfo:)?MemTotal:\s+(\d+) kB$/m;

const cgroupNumber = (output: string, file: string): number => {
  const [, value = ""] = new RegExp(`^${CGROUP}/memory\\.${file}(\\d+)$`, "m").exec(output) ?? [];
  return value === "" ? Number.NaN : Number(value);
};

/** Returns the memory use of the control group or, without one, of the processes with ids in `family`. */
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
  /** Ids of the processes and of their descendants. */
  family: string[];
}

export function parseProcessQuery(output: string): SeenProcesses {
  // Variables of an environment end with NUL.
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

/** The authority of intercepted HTTPS (vendor: "Handle outbound traffic"). */
const AUTHORITY = "/etc/cloudflare/certs/cloudflare-containers-ca.crt";

/** Returns a shell command that prints a line if the container does not have the authority's certificate, or its gateway does not trust it. */
export function authorityQuery(): string {
  const gateways = `$(grep -lazE '^${PROCESS_MARKER}=gateway:' /proc/[0-9]*/environ 2>/dev/null)`;
  return [
    `[ -s ${AUTHORITY} ] || echo missing`,
    `for one in ${gateways}; do grep -qaz '^NODE_EXTRA_CA_CERTS=' "$one" || echo untrusted; done`,
    "true",
  ].join("; ");
}

export const lacksAuthority = (output: string): boolean => output.trim() !== "";

/** Returns a shell command that ends processes and their groups with TERM, and with KILL after five seconds. */
export function endCommand(pids: readonly string[]): string {
  const targets = pids.flatMap((pid) => [pid, `-${pid}`]).join(" ");
  const left = pids.map((pid) => `[ -d /proc/${pid} ]`).join(" || ");
  const wait = `n=0; while { ${left}; } && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done`;
  return `kill -s TERM -- ${targets} 2>/dev/null; ${wait}; kill -s KILL -- ${targets} 2>/dev/null; true`;
}
