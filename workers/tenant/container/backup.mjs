/**
 * Archives the state directory of a sandbox while its gateway runs: `node backup.mjs NAME [STATE]` writes `NAME.tar.gz` into the
 * archive directory and prints `{"state","gateway","size","sha256","files","unpackedSize","leftOut"}` on one line. SQLite files are taken by
 * SQLite's own backup, so that they are sound however busily they are written; every other file is taken as it stands, and none of the
 * top-level directories `cache` and `tmp`. Sockets, fifos and devices cannot be kept: `leftOut` tells of them, if there are any.
 * `gateway` is the one that wrote the state, where it told (see `gateway-version.mjs`).
 * With STATE the directory is marked first as that state, whatever it was marked as.
 *
 * Environment, all optional:
 *   STATE_DIR               what the gateway keeps; /workspace/state
 *   RUN_DIR                 where `archives/` lies; /workspace/run
 *   GATEWAY_BACKUP_COMMAND  JSON array of a command and its arguments that an image may bring: it writes what is to be
 *                           kept into the empty directory that replaces `{directory}`; that is then archived in place
 *                           of the state directory, and laid as the state directory when it is restored; before
 *                           sleep it runs when the gateway has ended
 *
 * Exit codes: 0 the archive is whole; 1 it could not be made; 64 a setting is wrong; 69 the state is not known to be the
 * tenant's, as a restore failed before the gateway started; 75 another backup is under way.
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

// Names are any bytes: paths below the state directory are byte strings, as tar.mjs has them.

const NOT_KEPT = new Set(["cache", "tmp", STATE_MARKER, GATEWAY_RECORD]);
const SQLITE_MAGIC = Buffer.from("SQLite format 3\0");
const SQLITE_COMPANIONS = ["-wal", "-shm", "-journal"];
const SQLITE_BUSY_MS = 10_000;
/** With few pages a step, a busy writer makes SQLite start over for ever. */
const SQLITE_PAGES = 1_000_000;
const COMMAND_TIMEOUT_MS = 10 * 60 * 1000;
const CHUNK = 1_000_000;
/** Larger files are copied first, so that one that grows keeps the size its header tells. */
const MEMORY_LIMIT = 8_000_000;
/** What a file system mostly gives out at once, in bytes. */
const DISK_BLOCK = 4096;
const MAX_LEFT_OUT_TOLD = 20;
const MAX_TOLD_CHARACTERS = 200;

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

/** @param from a path's bytes */
async function copyDatabase(from, to) {
  await rm(to, { force: true });
  const alias = `${to}.alias`;
  // SQLite is given names as text, and follows a link to any other.
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
      if (bytesRead === 0) throw new Error("a file was cut off while it was read");
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** One file's header and bytes. */
async function* fileEntry(path, from, status, scratch, counter) {
  const base = { type: "file", path, mode: status.mode, mtime: status.mtimeMs / 1000 };
  const database = await isSqlite(from);
  if (!database && status.size <= MEMORY_LIMIT) {
    const content = await readFile(from);
    counter.occupies(content.length);
    yield Buffer.concat([tarHeader({ ...base, size: content.length }), content, tarPadding(content.length)]);
    return;
  }
  if (database) await copyDatabase(from, scratch);
  else await copyFile(from, scratch);
  const { size } = await stat(scratch);
  counter.occupies(size);
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

/** What is in an archive. */
class Counter {
  files = 0;
  /** Bytes that what it holds takes on a disk, about. */
  unpackedSize = 0;
  leftOut = { count: 0, first: [] };
  /** Files of several names: where each is in the archive. */
  #first = new Map();

  occupies(bytes) {
    this.unpackedSize += Math.ceil(bytes / DISK_BLOCK) * DISK_BLOCK;
  }

  leave(path, kind) {
    this.leftOut.count += 1;
    if (this.leftOut.first.length === MAX_LEFT_OUT_TOLD) return;
    this.leftOut.first.push({ path: onDisk(path).toString("utf8").slice(0, MAX_TOLD_CHARACTERS), kind });
  }

  /** The path by which a file is in the archive already. */
  kept({ dev, ino, nlink }) {
    return nlink > 1 ? this.#first.get(`${dev}:${ino}`) : undefined;
  }

  keep(path, { dev, ino, nlink }) {
    this.files += 1;
    if (nlink > 1) this.#first.set(`${dev}:${ino}`, path);
  }
}

const kindOf = (status) => (status.isSocket() ? "socket" : status.isFIFO() ? "fifo" : "device");

/** One entry of the archive, with what lies below it. */
async function* entry(from, path, scratch, counter) {
  const status = await lstat(onDisk(from));
  const base = { path, mode: status.mode, mtime: status.mtimeMs / 1000 };
  if (status.isDirectory()) {
    counter.occupies(DISK_BLOCK);
    yield tarHeader({ type: "directory", ...base, path: `${path}/` });
    yield* entries(from, `${path}/`, scratch, counter);
  } else if (status.isSymbolicLink()) {
    yield tarHeader({ type: "link", ...base, target: await readlink(onDisk(from), { encoding: "latin1" }) });
  } else if (status.isFile()) {
    const kept = counter.kept(status);
    if (kept === undefined) yield* fileEntry(path, onDisk(from), status, scratch, counter);
    else yield tarHeader({ type: "hardlink", ...base, target: kept });
    if (kept === undefined) counter.keep(path, status);
    else counter.files += 1;
  } else counter.leave(path, kindOf(status));
}

/** The archive's bytes below `directory`. What goes away meanwhile is left out. */
async function* entries(directory, prefix, scratch, counter) {
  const names = (await readdir(onDisk(directory), { encoding: "latin1" })).sort();
  const left = companions(names);
  for (const name of names) {
    if (prefix === "" && NOT_KEPT.has(name)) continue;
    const from = `${directory}/${name}`;
    try {
      if (left.has(name) && (await isSqlite(onDisk(from.replace(/-(wal|shm|journal)$/, ""))))) continue;
      yield* entry(from, `${prefix}${name}`, scratch, counter);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** What tells of the state goes first, and comes from the state directory whatever is archived in its place. */
async function* archive(directory, told, scratch, counter) {
  const mtime = Date.now() / 1000;
  for (const [path, content] of told) {
    yield tarHeader({ type: "file", path, mode: 0o600, mtime, size: content.length });
    yield content;
    yield tarPadding(content.length);
    counter.occupies(content.length);
  }
  yield* entries(byteString(directory), "", scratch, counter);
  yield tarEnd();
}

/** Runs the image's own backup command. @returns the directory it filled */
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
  if (!(await takeLock("backup", runDirectory))) throw new ScriptError(75, "another backup is under way");
  // What a backup that was killed left behind; one that is being read stays readable.
  await rm(archives, { recursive: true, force: true });
  await mkdir(archives, { recursive: true, mode: 0o700 });

  if (accepted !== undefined) markState(stateDirectory, accepted);
  let marker;
  let state;
  try {
    marker = await readFile(join(stateDirectory, STATE_MARKER));
    state = JSON.parse(marker.toString("utf8")).id;
  } catch {
    throw new ScriptError(69, "the state is not known to be the tenant's, so it is not backed up");
  }
  const gateway = stateGateway(stateDirectory);
  const record = await readFile(join(stateDirectory, GATEWAY_RECORD)).catch(() => undefined);
  const told = [[STATE_MARKER, marker], ...(record === undefined ? [] : [[GATEWAY_RECORD, record]])];
  const scratch = join(archives, "scratch");
  const directory =
    command === undefined ? stateDirectory : await runCommand(command, join(archives, "from-the-gateway"));
  const counter = new Counter();
  const hash = createHash("sha256");
  let size = 0;
  const partial = join(archives, `${name}.partial`);
  await pipeline(
    Readable.from(archive(directory, told, scratch, counter)),
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
