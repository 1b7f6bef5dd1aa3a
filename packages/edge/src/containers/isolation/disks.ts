/** Disks of containers: images with a file system of limited size, mounted in the container's own namespace, else directories. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isRoot, ownDisk } from "./users.ts";

/** `directories`: without limit. */
export type Disks = { kind: "images" } | { kind: "directories"; reason: string };

/** Why images cannot be created. */
export const NO_PROGRAM = "images need mkfs.ext4 of e2fsprogs";

/** Deleted files free the machine's disk, and the places of files that do not exist take none of it. */
export const MOUNT_OPTIONS = "loop,nosuid,nodev,noatime,discard,noinit_itable";

/** A container's disk on the machine. */
export interface Disk {
  /** Has `workspace` and `tmp`, or is the mount point of the image. */
  directory: string;
  image: string | undefined;
}

const MB = 1_000_000;
const BLOCK = 4_096;
/** Empty files are limited, too. */
const BYTES_PER_INODE = 16_384;
const ALL_PROGRAMS = "/usr/local/sbin:/usr/sbin:/sbin";

/** Runs a program of the machine's administrator. @throws Error with its message */
async function run(program: string, parameters: readonly string[], succeeds = [0]): Promise<void> {
  const env = { LC_ALL: "C", PATH: `${process.env.PATH}:${ALL_PROGRAMS}` };
  const child = spawn(program, parameters, { env, stdio: ["ignore", "ignore", "pipe"] });
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    message = (message + text).slice(-1_000);
  });
  const [code] = await once(child, "close");
  if (!succeeds.includes(code)) throw new Error(message.trim().split("\n").at(-1) || `${program} ended with ${code}`);
}

/**
 * Creates an image, which takes as much of the machine's disk as its files. Without a journal, since a container's disk is lost with its machine.
 *
 * @param content directory that is copied into it
 */
export async function createImage(path: string, megabytes: number, content: string): Promise<void> {
  const part = `${path}.new`;
  await writeFile(part, "", { mode: 0o600 });
  await truncate(part, Math.floor((megabytes * MB) / BLOCK) * BLOCK);
  const layout = ["-b", `${BLOCK}`, "-i", `${BYTES_PER_INODE}`, "-m", "0", "-O", "^has_journal,^resize_inode"];
  await run("mkfs.ext4", ["-q", "-F", ...layout, "-E", "lazy_itable_init=1,nodiscard", "-d", content, part]);
  renameSync(part, path);
}

/** Empties the root of a new image. */
export const removeLostAndFound = (image: string): Promise<void> =>
  run("debugfs", ["-w", "-R", "rmdir lost+found", image]);

let probed: Promise<Disks> | undefined;

/** Probes the machine once. @param confined whether containers have namespaces */
export async function probeDisks(confined: boolean): Promise<Disks> {
  if (!confined) return { kind: "directories", reason: "images need namespaces" };
  probed ??= tryImage();
  return probed;
}

async function tryImage(): Promise<Disks> {
  if (!isRoot()) return { kind: "directories", reason: "images need root" };
  const directory = mkdtempSync(join(tmpdir(), "edge-disk-"));
  const image = join(directory, "image");
  const content = join(directory, "content");
  let reason = NO_PROGRAM;
  try {
    mkdirSync(content);
    await createImage(image, 1, content);
    reason = "images need loop devices";
    await run("unshare", ["--mount", "mount", "-t", "ext4", "-o", "loop", image, content]);
    return { kind: "images" };
  } catch {
    return { kind: "directories", reason };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const LOOPS = "/sys/block";
const RELEASE_MS = 10_000;
const RELEASE_INTERVAL_MS = 5;

function isMounted(image: string): boolean {
  const loops = existsSync(LOOPS) ? readdirSync(LOOPS).filter((name) => name.startsWith("loop")) : [];
  return loops.some((name) => {
    try {
      // Outside of the namespace that mounted it, the path begins where its file system does.
      return image.endsWith(readFileSync(join(LOOPS, name, "loop/backing_file"), "utf8").trimEnd());
    } catch {
      // It has no file.
      return false;
    }
  });
}

/** Waits until an image is unmounted: commands that entered the container's namespace end a moment after it. */
async function released(image: string): Promise<void> {
  const deadline = Date.now() + RELEASE_MS;
  for (; isMounted(image); await delay(RELEASE_INTERVAL_MS))
    if (Date.now() > deadline) throw new Error("the container's disk is in use");
}

/** Offset of the state in a file system, and its value after an unmount. */
const STATE = 1_024 + 0x3a;
const CLEAN = 1;

/** Whether the file system was unmounted, without errors. */
function isClean(image: string): boolean {
  const bytes = Buffer.alloc(2);
  const file = openSync(image, "r");
  readSync(file, bytes, 0, bytes.length, STATE);
  closeSync(file);
  return bytes.readUInt16LE() === CLEAN;
}

/** Waits until an image is unmounted, and corrects it if the machine crashed before. @throws Error when it cannot be used */
export async function checkImage(image: string): Promise<void> {
  await released(image);
  // 1: corrected.
  if (!isClean(image)) await run("e2fsck", ["-f", "-y", image], [0, 1]);
}

/**
 * Returns the disk of a container for a start, and creates it at the first. A disk stays an image or a directory.
 *
 * @param home has the disk
 * @param o.megabytes its size. Default: without limit
 * @param o.owner of what it contains. Default: the edge's user
 * @throws Error with the reason when the machine does not allow it
 */
export async function prepareDisk(
  home: string,
  o: { disks: Disks; megabytes: number | undefined; owner: number | undefined },
): Promise<Disk> {
  const directory = join(home, "disk");
  const image = join(home, "disk.ext4");
  const source = join(home, "disk.new");
  if (existsSync(image)) {
    if (o.disks.kind === "directories") throw new Error(`mounting the container's disk failed: ${o.disks.reason}`);
    await checkImage(image);
  } else if (o.megabytes === undefined || o.disks.kind === "directories" || existsSync(directory)) {
    await ownDisk(directory, o.owner);
    return { directory, image: undefined };
  } else {
    await ownDisk(source, o.owner);
    await createImage(image, o.megabytes, source);
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  rmSync(source, { recursive: true, force: true });
  return { directory, image };
}
