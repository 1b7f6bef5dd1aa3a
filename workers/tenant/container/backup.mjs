/**
 * Archives the state directory of a sandbox while its gateway runs: `node backup.mjs NAME [STATE]` writes `NAME.tar.gz` to the archive
 * directory and prints `{"state","gateway","size","sha256","files","unpackedSize","leftOut"}` on one line. SQLite's own backup copies SQLite
 * files, so that they are consistent. Other files are copied as they are, without the top-level directories `cache` and `tmp`. `leftOut`
 * lists sockets, FIFOs and devices, which cannot be archived. `gateway` is the one that wrote the state, if it is known (see
 * `gateway-version.mjs`). STATE marks the directory with this id first.
 *
 * Environment, all optional:
 *   STATE_DIR               the gateway's state; /workspace/state
 *   RUN_DIR                 parent of `archives/`; /workspace/run
 *   GATEWAY_BACKUP_COMMAND  JSON array of a command and its arguments, set by the image. It writes the backup's content to the empty
 *                           directory that replaces `{directory}`. That directory is archived instead of the state directory, and
 *                           restored as the state directory. Before sleep, it runs after the gateway has ended.
 *
 * Exit codes: 0 the archive is complete; 1 failed; 64 invalid setting; 69 the state has no id, because a restore failed before the
 * gateway started; 75 another backup is in progress.
 */

import { isUtf8 } from "node:buffer";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { copyFile, lstat, mkdir, open, readdir, readFile, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { readCommand } from "./command.mjs";
import { GATEWAY_RECORD, stateGateway } from "./gateway-version.mjs";
import { takeLock } from "./sandbox-lock.mjs";
import { exitCodeOf, ScriptError } from "./script-error.mjs";
import { markState, STATE_MARKER } from "./state-marker.mjs";
import { tarEnd, tarHeader, tarPadding } from "./tar.mjs";

// File names may contain any bytes, so paths below the state directory are byte strings, as in tar.mjs.

const EXCLUDED = new Set(["cache", "tmp", STATE_MARKER, GATEWAY_RECORD]);
const SQLITE_MAGIC = Buffer.from("SQLite format 3\0");
const SQLITE_COMPANIONS = ["-wal", "-shm", "-journal"];
const SQLITE_BUSY_MS = 10_000;
/** With few pages per step, a busy writer makes SQLite start over repeatedly. */
const SQLITE_PAGES = 1_000_000;
const COMMAND_TIMEOUT_MS = 10 * 60 * 1000;
const CHUNK = 1_000_000;
/** Larger files are copied first, so that the size in the header stays correct. */
const MEMORY_LIMIT = 8_000_000;
/** Usual allocation unit of file systems, in bytes. */
const DISK_BLOCK = 4096;
const MAX_LEFT_OUT = 20;
const MAX_PATH_CHARACTERS = 200;

const onDisk = (path) => Buffer.from(path, "latin1");
const byteString = (text) => Buffer.from(text, "utf8").toString("latin1");

async function isSqlite(path) {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE_MAGIC.length), 0, SQLITE_MAGIC.length, 0);
    return bytesRead === SQLITE_MAGIC.length && buffer.equals(SQLITE_MAGIC);
  } finally {
    await file.close();
  }
}

/** @param from the path, as a buffer */
async function copyDatabase(from, to) {
  await rm(to, { force: true });
  const alias = `${to}.alias`;
  // SQLite accepts names as text only, but follows a link to any name.
  if (!isUtf8(from)) await symlink(from, alias);
  try {
    const source = new DatabaseSync(isUtf8(from) ? from.toString("utf8") : alias, { timeout: SQLITE_BUSY_MS });
    try {
      await backup(source, to, { rate: SQLITE_PAGES });
    } finally {
      source.close();
    }
  } finally {
    await rm(alias, { force: true });
  }
}

async function* fileBytes(path, size) {
  const file = await open(path, "r");
  try {
    for (let at = 0; at < size; ) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(CHUNK, size - at)), 0, undefined, at);
      if (bytesRead === 0) throw new Error("a file was truncated while it was read");
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function* fileEntry(path, from, status, scratch, counter) {
  const base = { type: "file", path, mode: status.mode, mtime: status.mtimeMs / 1000 };
  const database = await isSqlite(from);
  if (!database && status.size <= MEMORY_LIMIT) {
    const content = await readFile(from);
    counter.addSize(content.length);
    yield Buffer.concat([tarHeader({ ...base, size: content.length }), content, tarPadding(content.length)]);
    return;
  }
  if (database) await copyDatabase(from, scratch);
  else await copyFile(from, scratch);
  const { size } = await stat(scratch);
  counter.addSize(size);
  yield tarHeader({ ...base, size });
  yield* fileBytes(scratch, size);
  yield tarPadding(size);
  await rm(scratch);
}

const isGone = (error) => error instanceof Error && "code" in error && error.code === "ENOENT";

function companions(names) {
  const all = new Set(names);
  return new Set(
    names.filter((name) => SQLITE_COMPANIONS.some((end) => name.endsWith(end) && all.has(name.slice(0, -end.length)))),
  );
}

/** Counts the content of an archive. */
class Counter {
  files = 0;
  /** Approximate size on a disk, in bytes. */
  unpackedSize = 0;
  leftOut = { count: 0, first: [] };
  /** Archived paths of files with several hard links. */
  #linkedPaths = new Map();

  addSize(bytes) {
    this.unpackedSize += Math.ceil(bytes / DISK_BLOCK) * DISK_BLOCK;
  }

  leaveOut(path, kind) {
    this.leftOut.count += 1;
    if (this.leftOut.first.length === MAX_LEFT_OUT) return;
    this.leftOut.first.push({ path: onDisk(path).toString("utf8").slice(0, MAX_PATH_CHARACTERS), kind });
  }

  /** Returns the archived path of an earlier hard link to a file. */
  linkedPath({ dev, ino }) {
    return this.#linkedPaths.get(`${dev}:${ino}`);
  }

  addFile(path, { dev, ino, nlink }) {
    this.files += 1;
    if (nlink > 1) this.#linkedPaths.set(`${dev}:${ino}`, path);
  }
}

const kindOf = (status) => (status.isSocket() ? "socket" : status.isFIFO() ? "fifo" : "device");

/** Yields an entry and, for a directory, the entries below it. */
async function* entry(from, path, scratch, counter) {
  const status = await lstat(onDisk(from));
  const base = { path, mode: status.mode, mtime: status.mtimeMs / 1000 };
  if (status.isDirectory()) {
    counter.addSize(DISK_BLOCK);
    yield tarHeader({ type: "directory", ...base, path: `${path}/` });
    yield* entries(from, `${path}/`, scratch, counter);
  } else if (status.isSymbolicLink()) {
    yield tarHeader({ type: "link", ...base, target: await readlink(onDisk(from), { encoding: "latin1" }) });
  } else if (status.isFile()) {
    const linked = counter.linkedPath(status);
    if (linked === undefined) yield* fileEntry(path, onDisk(from), status, scratch, counter);
    else yield tarHeader({ type: "hardlink", ...base, target: linked });
    counter.addFile(linked ?? path, status);
  } else counter.leaveOut(path, kindOf(status));
}

/** Yields the archive's bytes below `directory`, without files that disappear meanwhile. */
async function* entries(directory, prefix, scratch, counter) {
  const names = (await readdir(onDisk(directory), { encoding: "latin1" })).sort();
  const excluded = companions(names);
  for (const name of names) {
    if (prefix === "" && EXCLUDED.has(name)) continue;
    const from = `${directory}/${name}`;
    try {
      if (excluded.has(name) && (await isSqlite(onDisk(from.replace(/-(wal|shm|journal)$/, ""))))) continue;
      yield* entry(from, `${prefix}${name}`, scratch, counter);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** Yields the records of the state first, which come from the state directory even when another directory is archived. */
async function* archive(directory, records, scratch, counter) {
  const mtime = Date.now() / 1000;
  for (const [path, content] of records) {
    yield tarHeader({ type: "file", path, mode: 0o600, mtime, size: content.length });
    yield content;
    yield tarPadding(content.length);
    counter.addSize(content.length);
  }
  yield* entries(byteString(directory), "", scratch, counter);
  yield tarEnd();
}

/** Runs the image's own backup command. @returns the directory with its output */
async function runCommand(command, directory) {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { mode: 0o700 });
  const [program, ...parameters] = command.map((part) => part.replaceAll("{directory}", directory));
  const child = spawn(program, parameters, {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: COMMAND_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error("the gateway's backup command failed");
  return directory;
}

async function run([name, accepted], env) {
  const isName = (text) => /^[A-Za-z0-9-]+$/.test(text);
  if (!isName(name ?? "") || !isName(accepted ?? "none")) throw new ScriptError(64, "usage: backup.mjs NAME [STATE]");
  const command = readCommand(env, "GATEWAY_BACKUP_COMMAND");
  const stateDirectory = env.STATE_DIR ?? "/workspace/state";
  const runDirectory = env.RUN_DIR ?? "/workspace/run";
  const archives = join(runDirectory, "archives");
  await mkdir(runDirectory, { recursive: true, mode: 0o700 });
  if (!(await takeLock("backup", runDirectory))) throw new ScriptError(75, "another backup is in progress");
  // Removes files of a killed backup. An archive that is being read stays readable.
  await rm(archives, { recursive: true, force: true });
  await mkdir(archives, { recursive: true, mode: 0o700 });

  if (accepted !== undefined) markState(stateDirectory, accepted);
  let marker;
  let state;
  try {
    marker = await readFile(join(stateDirectory, STATE_MARKER));
    state = JSON.parse(marker.toString("utf8")).id;
  } catch {
    throw new ScriptError(69, "the state has no id, so it is not backed up");
  }
  const gateway = stateGateway(stateDirectory);
  const record = await readFile(join(stateDirectory, GATEWAY_RECORD)).catch(() => undefined);
  const records = [[STATE_MARKER, marker], ...(record === undefined ? [] : [[GATEWAY_RECORD, record]])];
  const scratch = join(archives, "scratch");
  const directory =
    command === undefined ? stateDirectory : await runCommand(command, join(archives, "from-the-gateway"));
  const counter = new Counter();
  const hash = createHash("sha256");
  let size = 0;
  const partial = join(archives, `${name}.partial`);
  await pipeline(
    Readable.from(archive(directory, records, scratch, counter)),
    createGzip({ level: 1 }),
    async function* measure(chunks) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(partial, { mode: 0o600 }),
  );
  await rename(partial, join(archives, `${name}.tar.gz`));
  const { files, unpackedSize, leftOut } = counter;
  const sha256 = hash.digest("hex");
  return { state, gateway, size, sha256, files, unpackedSize, ...(leftOut.count > 0 && { leftOut }) };
}

try {
  process.stdout.write(`${JSON.stringify(await run(process.argv.slice(2), process.env))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = exitCodeOf(error);
}
