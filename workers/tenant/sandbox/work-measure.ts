/** Estimates the work of a gateway that does not report it: a shell command that measures its processes, and a parser of the output. */
import {
  type GatewayWork,
  PROCESS_MARKER,
  SANDBOX_MARKER,
  SHARED_PROCESSES,
} from "#workers/contracts/tenant/sandbox.ts";

const SPAN_SECONDS = 3;
/** Linux's `USER_HZ`, the unit of a process's CPU times. */
const TICKS_PER_SECOND = 100;
/** Share of one CPU above which a gateway counts as busy. An idle gateway uses less; the smallest container has a sixteenth. */
const BUSY_SHARE = 0.03;

/** Returns a shell command that prints CPU times of the gateway's processes before and after the span, their sockets, and all connections. */
export function workQuery(): string {
  const times = `for d in $family; do cat "\${d%/environ}/stat"; done 2>/dev/null`;
  const seek = [
    `all="$(echo /proc/[0-9]*/environ)"`,
    // On the local edge, the process list may be that of the whole machine.
    `if [ -n "$${SHARED_PROCESSES}" ]; then all="$(grep -lzxF "${SANDBOX_MARKER}=$${SANDBOX_MARKER}" $all 2>/dev/null)"; fi`,
    `family="$(grep -lzE '^${PROCESS_MARKER}=gateway:' $all /dev/null 2>/dev/null)"`,
  ].join("; ");
  return [
    `${seek}; echo before; ${times}; sleep ${SPAN_SECONDS}; ${seek}; echo after; ${times}`,
    `echo sockets; for d in $family; do ls -l "\${d%/environ}/fd"; done 2>/dev/null | grep -o 'socket:.[0-9]*'`,
    // Established and listening sockets.
    "echo network; for t in tcp tcp6; do grep -hE '^ *[0-9]+: [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4} (01|0A) ' /proc/self/net/$t; done 2>/dev/null",
    "true",
  ].join("; ");
}

const STAT = /^(\d+) \(.*\) \S(?: \S+){10} (\d+) (\d+) /;
const CONNECTION = /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) (01|0A) \S+ \S+ \S+ +\d+ +\d+ (\d+)/;
/** Loopback addresses as the kernel prints them: 127.0.0.0/8 in reverse byte order, `::1`, and IPv4 mapped to IPv6. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

function ticksOf(lines: readonly string[]): Map<string, number> {
  const ticks = new Map<string, number>();
  for (const line of lines) {
    const [, pid, user, system] = STAT.exec(line) ?? [];
    if (pid !== undefined) ticks.set(pid, Number(user) + Number(system));
  }
  return ticks;
}

/** Counts connections that the gateway opened to other hosts: neither loopback, nor accepted on a port that it listens on. */
function countOutbound(sockets: readonly string[], network: readonly string[]): number {
  const own = new Set(sockets.map((line) => line.replace(/\D/g, "")));
  const rows = network.flatMap((line) => {
    const [, , port, remote, , state, inode = ""] = CONNECTION.exec(line) ?? [];
    return port !== undefined && remote !== undefined && own.has(inode) ? [{ port, remote, state }] : [];
  });
  const listening = new Set(rows.flatMap(({ port, state }) => (state === "0A" ? [port] : [])));
  return rows.filter(({ port, remote, state }) => state === "01" && !listening.has(port) && !LOOPBACK.test(remote))
    .length;
}

/** Parses the output. The purpose of a connection is unknown, so each counts as a channel. */
export function parseWorkQuery(output: string): GatewayWork {
  const parts: Record<string, string[]> = {};
  let part: string[] = [];
  for (const line of output.split("\n")) {
    if (!/^(?:before|after|sockets|network)$/.test(line)) part.push(line);
    else {
      part = [];
      parts[line] = part;
    }
  }
  const { before = [], after = [], sockets = [], network = [] } = parts;
  const first = ticksOf(before);
  let ticks = 0;
  // A process that started within the span used all of its time within it.
  for (const [pid, last] of ticksOf(after)) ticks += last - (first.get(pid) ?? 0);
  const share = ticks / TICKS_PER_SECOND / SPAN_SECONDS;
  const channels = countOutbound(sockets, network);
  if (share < BUSY_SHARE) return { busy: false, channels };
  return { busy: true, reason: `its processes use ${Math.round(share * 100)} % of a CPU`, channels };
}
