/** Limits of containers by control groups: version 2 where a part of it is this user's, else version 1, else none. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";

export const containerSize = z.object({
  memoryMiB: z.number(),
  vcpu: z.number(),
  /** Absent when unknown, as of an earlier edge. */
  diskMB: z.number().exactOptional(),
});
/** Of its instance type. */
export type ContainerSize = z.infer<typeof containerSize>;

/** The default of Podman. The vendor documents no limit. */
export const MOST_PROCESSES = 2_048;
export const PERIOD_US = 100_000;
const MIB = 1_048_576;

/** A file that sets a limit, and its value. Files of optional features may be missing. */
type Setting = [file: string, value: (size: ContainerSize) => number | string];

export const memoryBytes = ({ memoryMiB }: ContainerSize): number => memoryMiB * MIB;
/** A whole core at least, so that short starts are not slowed. Weights hold when the machine is busy. */
export const cpuQuota = ({ vcpu }: ContainerSize): number => Math.max(1, vcpu) * PERIOD_US;
export const cpuShares = ({ vcpu }: ContainerSize): number => Math.max(2, Math.round(vcpu * 1_024));

/** By controller. Containers do not use swap (https://developers.cloudflare.com/containers/faq/). */
const SETTINGS = {
  v1: {
    memory: [
      ["memory.limit_in_bytes", memoryBytes],
      ["memory.memsw.limit_in_bytes", memoryBytes],
    ],
    pids: [["pids.max", () => MOST_PROCESSES]],
    cpu: [
      ["cpu.shares", cpuShares],
      ["cpu.cfs_period_us", () => PERIOD_US],
      ["cpu.cfs_quota_us", cpuQuota],
    ],
  },
  v2: {
    memory: [
      ["memory.max", memoryBytes],
      ["memory.swap.max", () => 0],
      ["memory.oom.group", () => 1],
    ],
    pids: [["pids.max", () => MOST_PROCESSES]],
    cpu: [
      ["cpu.weight", ({ vcpu }) => Math.min(10_000, Math.max(1, Math.round(vcpu * 100)))],
      ["cpu.max", (size) => `${cpuQuota(size)} ${PERIOD_US}`],
    ],
  },
} as const satisfies Record<string, Record<string, readonly Setting[]>>;

/** Version 1 ends one process of a group without memory, and counts it here. */
const COUNT_OF_ENDED = "memory.oom_control";
const WATCH_INTERVAL_MS = 500;

export type Controller = keyof (typeof SETTINGS)["v1"];
export const controllers = Object.keys(SETTINGS.v1) as Controller[];
const needsSize = (controller: Controller): boolean => controller !== "pids";

/** A directory in which containers have theirs, and what it limits. */
interface Base {
  version: keyof typeof SETTINGS;
  path: string;
  controllers: readonly Controller[];
}

interface Mount {
  point: string;
  /** The path of the hierarchy that is visible at `point`. */
  root: string;
  version: keyof typeof SETTINGS;
  options: readonly string[];
}

/** Parses `/proc/PID/mountinfo`. */
function parseMounts(text: string): Mount[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root = "", point = ""] = before.split(" ");
    const [type, , options = ""] = after.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") return [];
    return [
      { point, root, version: type === "cgroup" ? ("v1" as const) : ("v2" as const), options: options.split(",") },
    ];
  });
}

/** Returns the directory of this process in a hierarchy. @param groups `/proc/PID/cgroup` */
function ownDirectory({ version, root, point, options }: Mount, groups: string): string | undefined {
  for (const line of groups.split("\n")) {
    const [, names = "", path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) continue;
    const isOwn =
      version === "v2" ? names === "" : names !== "" && names.split(",").every((name) => options.includes(name));
    const within = relative(root, path);
    if (isOwn) return within.startsWith("..") ? point : join(point, within);
  }
  return undefined;
}

const failed = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Creates a directory with controllers below that of this process, or of a parent: one with processes cannot pass controllers on. */
function openSecond(mount: Mount, own: string, name: string): Base | undefined {
  for (let parent = own; !relative(mount.point, parent).startsWith(".."); parent = dirname(parent)) {
    const path = join(parent, name);
    try {
      mkdirSync(path, { recursive: true });
      const given = readFileSync(join(path, "cgroup.controllers"), "utf8").trim().split(" ");
      const wanted = controllers.filter((controller) => given.includes(controller));
      if (wanted.length > 0) {
        writeFileSync(join(path, "cgroup.subtree_control"), wanted.map((one) => `+${one}`).join(" "));
        return { version: "v2", path, controllers: wanted };
      }
    } catch {
      // Another user's, or read-only.
    }
    removeTree(path);
  }
  return undefined;
}

function openFirst(mount: Mount, own: string, name: string): Base | undefined {
  const given = controllers.filter((controller) => mount.options.includes(controller));
  if (given.length === 0) return undefined;
  const path = join(own, name);
  try {
    mkdirSync(path, { recursive: true });
    return { version: "v1", path, controllers: given };
  } catch {
    return undefined;
  }
}

/** Joins groups by `cgroup.procs` files, then runs a command. */
const JOIN = 'while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift; exec "$@"';

/** Returns the command line that runs a command in groups. @param files of {@link Cgroups.open} */
export const joinCommand = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : ["sh", "-c", JOIN, "sh", ...files, "--"];

/** The groups of an engine's containers. */
export class Cgroups {
  readonly #bases: readonly Base[];
  readonly #record: string;
  readonly #watched = new Map<string, { ended: number; onExhausted: () => void }>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * Finds out what this machine limits, and removes groups that an earlier edge left.
   *
   * @param record file of the directories in use
   * @param mark name of the engine's directories
   * @param o.proc has `mountinfo` and `cgroup`
   * @param o.joins whether a process of this user can join a group
   */
  constructor(record: string, mark: string, { proc = "/proc/self", joins = canJoin } = {}) {
    this.#record = record;
    const name = `tenantry-${mark}`;
    for (const path of readRecord(record)) if (basename(path) === name) removeTree(path);
    const found: Base[] = [];
    const mounts = existsSync(join(proc, "mountinfo"))
      ? parseMounts(readFileSync(join(proc, "mountinfo"), "utf8"))
      : [];
    const groups = mounts.length === 0 ? "" : readFileSync(join(proc, "cgroup"), "utf8");
    for (const version of ["v2", "v1"] as const)
      for (const mount of mounts) {
        const own = mount.version === version ? ownDirectory(mount, groups) : undefined;
        if (own === undefined) continue;
        const base = version === "v2" ? openSecond(mount, own, name) : openFirst(mount, own, name);
        if (base === undefined) continue;
        const added = base.controllers.filter((one) => !found.some((other) => other.controllers.includes(one)));
        if (added.length > 0 && accepts(base, joins)) found.push({ ...base, controllers: added });
        else removeTree(base.path);
      }
    this.#bases = found;
    writeFileSync(record, JSON.stringify(found.map(({ path }) => path)), { mode: 0o600 });
  }

  /** What is limited. */
  get controllers(): Controller[] {
    return controllers.filter((one) => this.#bases.some((base) => base.controllers.includes(one)));
  }

  /**
   * Creates the groups of a container, or changes their limits.
   *
   * @param size Default: memory and CPU are not limited
   * @returns files that a process joins by {@link joinCommand}
   */
  open(container: string, size: ContainerSize | undefined): string[] {
    return this.#bases.map((base) => {
      const path = join(base.path, container);
      mkdirSync(path, { recursive: true });
      applyLimits(base, path, size);
      return join(path, "cgroup.procs");
    });
  }

  /**
   * Calls `onExhausted` when the kernel has ended a process of a container for lack of memory. With version 2 it ends all of them itself. The vendor
   * restarts a container without memory (https://developers.cloudflare.com/containers/faq/).
   */
  watch(container: string, onExhausted: () => void): void {
    if (!this.#bases.some(({ version, controllers: given }) => version === "v1" && given.includes("memory"))) return;
    this.#watched.set(container, { ended: this.#countEnded(container), onExhausted });
    this.#timer ??= setInterval(() => this.#check(), WATCH_INTERVAL_MS).unref();
  }

  unwatch(container: string): void {
    this.#watched.delete(container);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    for (const [container, { ended, onExhausted }] of this.#watched) {
      if (this.#countEnded(container) === ended) continue;
      this.unwatch(container);
      onExhausted();
    }
  }

  #countEnded(container: string): number {
    const base = this.#bases.find(({ controllers: given }) => given.includes("memory"));
    try {
      const text = readFileSync(join(base?.path ?? "", container, COUNT_OF_ENDED), "utf8");
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
    } catch {
      return 0;
    }
  }

  /** Removes the groups of a container, which has ended. */
  async remove(container: string): Promise<void> {
    for (const { path } of this.#bases) await removeEnded(join(path, container));
  }

  /** Removes all groups, whose containers have ended. */
  async close(): Promise<void> {
    for (const { path } of this.#bases) {
      for (const name of directories(path)) await removeEnded(join(path, name));
      await removeEnded(path);
    }
    writeFileSync(this.#record, "[]", { mode: 0o600 });
  }
}

function readRecord(path: string): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return [];
  }
}

function applyLimits(base: Base, path: string, size: ContainerSize | undefined): void {
  for (const controller of base.controllers) {
    if (size === undefined && needsSize(controller)) continue;
    const settings: readonly Setting[] = SETTINGS[base.version][controller];
    // A limit of memory with swap cannot be below that of memory, so a larger one is set in a second pass.
    for (const isLast of [false, true])
      for (const [file, value] of settings)
        try {
          writeFileSync(join(path, file), String(value(size ?? { memoryMiB: 0, vcpu: 1 })), { flag: "r+" });
        } catch (error) {
          if (isLast && existsSync(join(path, file)))
            throw new Error(`setting ${file} of a container failed: ${failed(error)}`);
        }
  }
}

function canJoin(files: readonly string[]): boolean {
  const [program = "", ...parameters] = [...joinCommand(files), "true"];
  return spawnSync(program, parameters, { stdio: "ignore" }).status === 0;
}

/** Whether a process of this user can join a group with limits. */
function accepts(base: Base, joins: (files: readonly string[]) => boolean): boolean {
  const path = join(base.path, "probe");
  try {
    mkdirSync(path, { recursive: true });
    applyLimits(base, path, { memoryMiB: 256, vcpu: 1 });
    return joins([join(path, "cgroup.procs")]);
  } catch {
    return false;
  } finally {
    removeTree(path);
  }
}

function directories(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}

/** Removes a group with those in it, as far as no process is left. */
function removeTree(path: string): void {
  for (const name of directories(path)) removeTree(join(path, name));
  try {
    rmdirSync(path);
  } catch {
    // It is in use, or does not exist.
  }
}

const REMOVAL_MS = 2_000;
const REMOVAL_INTERVAL_MS = 10;

/** Removes a group whose processes have ended: the kernel takes them out a moment later. */
async function removeEnded(path: string): Promise<void> {
  const deadline = Date.now() + REMOVAL_MS;
  for (; existsSync(path) && Date.now() < deadline; await delay(REMOVAL_INTERVAL_MS)) removeTree(path);
}
