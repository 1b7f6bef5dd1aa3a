/**
 * What a gateway that does not tell of its work seems to do: a shell command that measures its processes over a short span, and what the
 * command's output means.
 */
import {
  type GatewayWork,
  PROCESS_MARKER,
  SANDBOX_MARKER,
  SHARED_PROCESSES,
} from "#workers/contracts/tenant/sandbox.ts";

const SPAN_SECONDS = 3;
/** Of a second of CPU time, in all that a process's numbers are told in (Linux's `USER_HZ`). */
const TICKS_PER_SECOND = 100;
/** Share of one CPU from which on a gateway is at work: an idle one takes less, and the smallest container has a sixteenth. */
const BUSY_SHARE = 0.03;

/** For `sh -c`: CPU times of the gateway's family before and after the span, its sockets, and the connections of its network. */
export function workQuery(): string {
  const times = `for d in $family; do cat "\${d%/environ}/stat"; done 2>/dev/null`;
  const seek = [
    `all="$(echo /proc/[0-9]*/environ)"`,
    // Where the list of processes is the whole machine's.
    `if [ -n "$${SHARED_PROCESSES}" ]; then all="$(grep -lzxF "${SANDBOX_MARKER}=$${SANDBOX_MARKER}" $all 2>/dev/null)"; fi`,
    `family="$(grep -lzE '^${PROCESS_MARKER}=gateway:' $all /dev/null 2>/dev/null)"`,
  ].join("; ");
  return [
    `${seek}; echo before; ${times}; sleep ${SPAN_SECONDS}; ${seek}; echo after; ${times}`,
    `echo sockets; for d in $family; do ls -l "\${d%/environ}/fd"; done 2>/dev/null | grep -o 'socket:.[0-9]*'`,
    // Established ones and listening ones.
    "echo network; for t in tcp tcp6; do grep -hE '^ *[0-9]+: [0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4} (01|0A) ' /proc/self/net/$t; done 2>/dev/null",
    "true",
  ].join("; ");
}

const STAT = /^(\d+) \(.*\) \S(?: \S+){10} (\d+) (\d+) /;
const CONNECTION = /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) (01|0A) \S+ \S+ \S+ +\d+ +\d+ (\d+)/;
/** Addresses of the machine's own, as the kernel writes them: 127.0.0.0/8 by its last byte, `::1`, and the former in IPv6. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

function ticksOf(lines: readonly string[]): Map<string, number> {
  const ticks = new Map<string, number>();
  for (const line of lines) {
    const [, pid, user, system] = STAT.exec(line) ?? [];
    if (pid !== undefined) ticks.set(pid, Number(user) + Number(system));
  }
  return ticks;
}

/** Connections that the gateway opened to other hosts: neither the machine's own, nor those that came in on a port it listens on. */
function outbound(sockets: readonly string[], network: readonly string[]): number {
  const own = new Set(sockets.map((line) => line.replace(/\D/g, "")));
  const rows = network.flatMap((line) => {
    const [, , port, remote, , state, inode = ""] = CONNECTION.exec(line) ?? [];
    return port !== undefined && remote !== undefined && own.has(inode) ? [{ port, remote, state }] : [];
  });
  const listening = new Set(rows.flatMap(({ port, state }) => (state === "0A" ? [port] : [])));
  return rows.filter(({ port, remote, state }) => state === "01" && !listening.has(port) && !LOOPBACK.test(remote))
    .length;
}

/** What the query's output tells. What connections are for cannot be told, so they count as channels. */
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
  // All that one took that came meanwhile was taken meanwhile.
  for (const [pid, last] of ticksOf(after)) ticks += last - (first.get(pid) ?? 0);
  const share = ticks / TICKS_PER_SECOND / SPAN_SECONDS;
  const channels = outbound(sockets, network);
  if (share < BUSY_SHARE) return { busy: false, channels };
  return { busy: true, reason: `its processes take ${Math.round(share * 100)} % of a CPU`, channels };
}
