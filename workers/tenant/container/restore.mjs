/**
 * Restores an archive of `backup.mjs` into the empty state directory of a sandbox, completely or not at all:
 * `node restore.mjs NAME SHA256`, with `NAME.tar.gz` in the archive directory. Always removes the archive.
 * `node restore.mjs --room BYTES` checks the free space; `--make-room BYTES` first removes files of earlier restores.
 *
 * Environment: STATE_DIR and RUN_DIR as for `backup.mjs`.
 *
 * Exit codes: 0 restored, or the disk has room; 1 failed; 64 invalid usage; 65 the archive is malformed; 73 the state directory is not
 * empty; 74 the disk has no room; 75 a start is in progress; 76 the archive's checksum does not match.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, link, mkdir, readdir, rename, rm, rmdir, statfs, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { takeLock } from "./sandbox-lock.mjs";
import { exitCodeOf, ScriptError } from "./script-error.mjs";
import { STATE_MARKER } from "./state-marker.mjs";
import { DamagedArchive, readTar } from "./tar.mjs";

const OWN_MODE = 0o700;

const damaged = (message) => new ScriptError(65, message);

async function sha256Of(path) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

async function isEmpty(directory) {
  try {
    return (await readdir(directory)).length === 0;
  } catch (error) {
    if (error.code === "ENOENT") return true;
    throw error;
  }
}

/** Returns the location of an entry below `directory`. @param path a byte string, as in tar.mjs */
function locate(directory, path) {
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || part.includes("\0")))
    throw damaged("the archive has an entry outside the state directory");
  return Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(parts.join("/"), "latin1")]);
}

const parentOf = (path) => path.subarray(0, path.lastIndexOf("/"));

function decompressed(path) {
  const gunzip = createGunzip();
  const source = createReadStream(path);
  source.once("error", (error) => gunzip.destroy(error));
  return source.pipe(gunzip);
}

async function unpackFile(entry, to) {
  await mkdir(parentOf(to), { recursive: true, mode: OWN_MODE });
  await pipeline(Readable.from(entry.content()), createWriteStream(to, { mode: 0o600, flags: "wx" }));
  await chmod(to, entry.mode & 0o777);
  await utimes(to, entry.mtime, entry.mtime);
}

async function unpack(path, directory) {
  const links = [];
  const directories = [];
  const files = new Set();
  let marked = false;
  for await (const entry of readTar(decompressed(path))) {
    const to = locate(directory, entry.path);
    marked ||= entry.path === STATE_MARKER;
    if (entry.type === "link") links.push({ to, target: Buffer.from(entry.target, "latin1") });
    if (entry.type === "directory") {
      await mkdir(to, { recursive: true, mode: OWN_MODE });
      directories.push({ to, ...entry });
    }
    if (entry.type === "file") await unpackFile(entry, to);
    if (entry.type === "hardlink") {
      if (!files.has(entry.target)) throw damaged("the archive has a link to a file that is not in it");
      await mkdir(parentOf(to), { recursive: true, mode: OWN_MODE });
      await link(locate(directory, entry.target), to);
    }
    if (entry.type === "file" || entry.type === "hardlink") files.add(entry.path);
  }
  if (!marked) throw damaged("the archive does not contain the state's id");
  // Last, so that nothing is written through a link.
  for (const { to, target } of links) await symlink(target, to);
  for (const { to, mode, mtime } of directories.reverse()) {
    await chmod(to, mode & 0o777);
    await utimes(to, mtime, mtime);
  }
}

const DISK_FULL = new Set(["ENOSPC", "EDQUOT"]);

/**
 * Removes files of interrupted restores, which would fill the disk over time. Does nothing when a state exists, or a start or a backup is in
 * progress.
 */
async function removeLeftovers(stateDirectory, runDirectory) {
  await mkdir(runDirectory, { recursive: true, mode: OWN_MODE });
  if (!(await isEmpty(stateDirectory))) return;
  for (const work of ["start", "backup"]) if (!(await takeLock(work, runDirectory))) return;
  await rm(`${stateDirectory}.restoring`, { recursive: true, force: true });
  await rm(join(runDirectory, "archives"), { recursive: true, force: true });
}

/** @throws ScriptError 74 when the disk of the state directory has fewer free bytes */
async function checkRoom(bytes, stateDirectory) {
  if (!/^\d{1,15}$/.test(bytes ?? "")) throw new ScriptError(64, "usage: restore.mjs --room BYTES");
  await mkdir(stateDirectory, { recursive: true, mode: OWN_MODE });
  const { bavail, bsize } = await statfs(stateDirectory);
  const free = bavail * bsize;
  if (free < Number(bytes))
    throw new ScriptError(74, `the backup needs ${bytes} bytes on the disk, and ${free} are free`);
}

async function run([name, sha256], env) {
  const stateDirectory = env.STATE_DIR ?? "/workspace/state";
  const runDirectory = env.RUN_DIR ?? "/workspace/run";
  if (name === "--make-room") await removeLeftovers(stateDirectory, runDirectory);
  if (name === "--room" || name === "--make-room") return checkRoom(sha256, stateDirectory);
  if (!/^[A-Za-z0-9-]+$/.test(name ?? "") || !/^[0-9a-f]{64}$/.test(sha256 ?? ""))
    throw new ScriptError(64, "usage: restore.mjs NAME SHA256");
  const archive = join(runDirectory, "archives", `${name}.tar.gz`);
  const staging = `${stateDirectory}.restoring`;
  // The startup script holds this lock while it starts a gateway.
  if (!(await takeLock("start", runDirectory))) throw new ScriptError(75, "a start is in progress");
  try {
    if (!(await isEmpty(stateDirectory))) throw new ScriptError(73, "the state directory is not empty");
    if ((await sha256Of(archive)) !== sha256)
      throw new ScriptError(76, "the archive does not match the checksum in its manifest");
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true, mode: OWN_MODE });
    await unpack(archive, staging);
    // Fails when something was written meanwhile. A state directory is never partially restored.
    await rmdir(stateDirectory).catch((error) => {
      if (error.code === "ENOTEMPTY") throw new ScriptError(73, "the state directory is not empty");
      if (error.code !== "ENOENT") throw error;
    });
    await rename(staging, stateDirectory);
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(archive, { force: true });
  }
}

try {
  await run(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  if (error instanceof DamagedArchive) process.exitCode = 65;
  else process.exitCode = DISK_FULL.has(error.code) ? 74 : exitCodeOf(error);
}
