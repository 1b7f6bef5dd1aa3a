/**
 * The filter of a confined container's system calls: those that Docker refuses by default
 * (https://docs.docker.com/engine/security/seccomp/, https://github.com/moby/profiles/blob/main/seccomp/default_linux.go).
 */

/** Numbers of refused system calls, on x64 and arm64. A null does not exist there. */
export const REFUSED: Readonly<Record<string, readonly [x64: number, arm64: number | null]>> = {
  _sysctl: [156, null],
  acct: [163, 89],
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  delete_module: [176, 106],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  name_to_handle_at: [303, 264],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pivot_root: [155, 41],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  reboot: [169, 142],
  request_key: [249, 218],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  sysfs: [139, null],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  uselib: [134, null],
  userfaultfd: [323, 282],
  ustat: [136, null],
  vhangup: [153, 58],
};

interface Architecture {
  /** Column of {@link REFUSED}. */
  column: 0 | 1;
  audit: number;
  clone: number;
  prctl: number;
}

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: { column: 0, audit: 0xc000_003e, clone: 56, prctl: 157 },
  arm64: { column: 1, audit: 0xc000_00b7, clone: 220, prctl: 167 },
};

const CLONE3 = 435;
/** Flags of `clone` that create namespaces. */
const NEW_NAMESPACES = 0x7e02_0000;
/** Calls of the x32 interface. */
const X32 = 0x4000_0000;

// Instructions of classic BPF, and offsets in `struct seccomp_data`.
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const NUMBER = 0;
const AUDIT = 4;
const FIRST_ARGUMENT = 16;
const ALLOW = 0x7fff_0000;
const EPERM = 0x0005_0001;
/** glibc then uses `clone` instead of `clone3`, whose flags a filter cannot read. */
const ENOSYS = 0x0005_0026;

type Instruction = [code: number, value: number, ifTrue?: Target, ifFalse?: Target];
/** An instruction at the end, or the number of instructions to skip. */
type Target = "allow" | "eperm" | "enosys" | number;

/** Returns a program of `struct sock_filter`; `undefined` for an unknown architecture. */
export function seccompFilter(arch: string): Buffer | undefined {
  const known = ARCHITECTURES[arch];
  if (known === undefined) return undefined;
  const numbers = Object.values(REFUSED).flatMap((of) => of[known.column] ?? []);
  const program: Instruction[] = [
    [LOAD, AUDIT],
    [IF_EQUAL, known.audit, 0, "enosys"],
    [LOAD, NUMBER],
    [IF_AT_LEAST, X32, "enosys", 0],
    [IF_EQUAL, CLONE3, "enosys", 0],
    ...numbers.map((number): Instruction => [IF_EQUAL, number, "eperm", 0]),
    [IF_EQUAL, known.clone, 0, "allow"],
    [LOAD, FIRST_ARGUMENT],
    [IF_ANY_BIT, NEW_NAMESPACES, "eperm", "allow"],
    [RETURN, ALLOW],
    [RETURN, EPERM],
    [RETURN, ENOSYS],
  ];
  const ends = { allow: program.length - 3, eperm: program.length - 2, enosys: program.length - 1 };
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, value, ...targets]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    for (const [index, target = 0] of targets.entries())
      bytes.writeUInt8(typeof target === "number" ? target : ends[target] - at - 1, at * 8 + 2 + index);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}

/** Perl complains about an unknown locale unless this variable is 0. */
export const QUIET_LOADER = { PERL_BADLANG: "0" };

/** Node.js cannot install a filter, and `setpriv` only since util-linux 2.40. */
const LOADER = `delete $ENV{PERL_BADLANG}; my $call = shift; my $filter = pack("H*", shift);
my $program = pack("Sx6P", length($filter) / 8, $filter);
syscall($call + 0, 22, 2, $program, 0, 0) == 0 or die "installing the filter of system calls failed: $!\\n";
exec { $ARGV[0] } @ARGV;
print STDERR "$ARGV[0]: $!\\n"; exit($! + 0 == 2 ? 127 : 126);`;

/** Returns the command line that runs a command with the filter. It needs Perl, and that no new privileges are possible. */
export function filteredCommand(arch: string): string[] {
  const filter = seccompFilter(arch);
  const call = ARCHITECTURES[arch]?.prctl;
  return filter === undefined ? [] : ["perl", "-e", LOADER, String(call), filter.toString("hex")];
}
