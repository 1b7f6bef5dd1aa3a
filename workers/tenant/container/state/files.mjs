/**
 * Reads and changes files of the state directory for administrators. Paths are relative to it. No link is followed, and files with credentials
 * are never read: see `secret-files.mjs`. Output is JSON on one line.
 *
 *   node files.mjs list [PATH]           `{"entries":[{"name","kind","bytes","modifiedAt","secret"}],"truncated"}`
 *   node files.mjs read PATH BYTES       `{"content","hash","bytes","modifiedAt"}`, the content in base64, if it has at most BYTES
 *   node files.mjs write PATH HASH       replaces a file by standard input if its content has this SHA-256
 *   node files.mjs changed SINCE         `{"count","first":[{"path","modifiedAt"}]}`: files modified after this time, ISO 8601
 *
 * Environment: STATE_DIR as for `backup.mjs`.
 *
 * Exit codes: 0 done; 1 failed; 64 invalid usage or path; 66 not found; 67 a file with credentials; 68 a link, a special file, or of the wrong
 * kind; 69 too large; 71 changed meanwhile; 72 a database.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { exitCodeOf, ScriptError } from "../script-error.mjs";
import { isSecret } from "./secret-files.mjs";

const MAX_ENTRIES = 1000;
const MAX_PATH_CHARACTERS = 3000;
const MAX_CHANGED = 20;
/** Files of a state are counted up to this number. */
const MAX_VISITED = 200_000;
const MAX_WRITTEN_BYTES = 1_000_000;
const SQLITE_MAGIC = "SQLite format 3\0";
/** As in `backup.mjs`. */
const LEFT_OUT = new Set(["cache", "tmp"]);

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

function partsOf(path) {
  const parts = path.split("/");
  const isValid = parts.every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0"));
  if (!isValid || path.length > MAX_PATH_CHARACTERS) throw new ScriptError(64, "the path is outside the state");
  return parts;
}

/** Returns the real location of a path, without a link in it. */
async function locate(root, path) {
  let at = root;
  const parts = path === "" ? [] : partsOf(path);
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const status = await lstat(at);
    const isLast = index === parts.length - 1;
    if (status.isSymbolicLink() || (!isLast && !status.isDirectory()))
      throw new ScriptError(68, "the path leads through a link or a file");
  }
  return at;
}

const kindOf = (entry) =>
  entry.isDirectory() ? "directory" : entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "special";

async function list(root, path = "") {
  const directory = await locate(root, path);
  if (!(await lstat(directory)).isDirectory()) throw new ScriptError(68, "the path is no directory");
  const names = (await readdir(directory)).sort();
  const entries = [];
  for (const name of names.slice(0, MAX_ENTRIES)) {
    const status = await lstat(join(directory, name)).catch(() => undefined);
    if (status === undefined) continue;
    const secret = isSecret(path === "" ? name : `${path}/${name}`);
    entries.push({ name, kind: kindOf(status), bytes: status.size, modifiedAt: status.mtime.toISOString(), secret });
  }
  return { entries, truncated: names.length > MAX_ENTRIES };
}

/** Opens a file without following a link, also when a directory was replaced meanwhile. */
async function openFile(root, path) {
  if (isSecret(path)) throw new ScriptError(67, "the file holds credentials");
  const at = await locate(root, path);
  // A FIFO would block.
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const status = await file.stat();
  if (!status.isFile() || (await readlink(`/proc/self/fd/${file.fd}`)) !== at) {
    await file.close();
    throw new ScriptError(68, "the path is no file");
  }
  return { at, file, status };
}

async function read(root, path, limit) {
  const { file, status } = await openFile(root, path);
  try {
    if (status.size > Number(limit)) throw new ScriptError(69, "the file is too large");
    const content = await file.readFile();
    if (content.subarray(0, SQLITE_MAGIC.length).toString("latin1") === SQLITE_MAGIC)
      throw new ScriptError(72, "the file is a database");
    const { size: bytes, mtime } = status;
    return { content: content.toString("base64"), hash: sha256(content), bytes, modifiedAt: mtime.toISOString() };
  } finally {
    await file.close();
  }
}

async function write(root, path, expected) {
  const content = await buffer(process.stdin);
  if (content.length > MAX_WRITTEN_BYTES) throw new ScriptError(69, "the content is too large");
  const { at, file, status } = await openFile(root, path);
  const staged = join(dirname(at), `.tenantry-edit-${process.pid}`);
  try {
    if (sha256(await file.readFile()) !== expected) throw new ScriptError(71, "the file was changed meanwhile");
    const target = await open(staged, "wx", status.mode & 0o777);
    await target.writeFile(content);
    await target.sync();
    await target.close();
    await rename(staged, at);
  } finally {
    await file.close();
    await rm(staged, { force: true });
  }
  return { hash: sha256(content), bytes: content.length };
}

async function changed(root, since) {
  const after = Date.parse(since);
  if (Number.isNaN(after)) throw new ScriptError(64, "usage: files.mjs changed SINCE");
  const found = [];
  let visited = 0;
  const visit = async (directory, prefix) => {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (prefix === "" && (LEFT_OUT.has(entry.name) || entry.name.startsWith(".tenantry-"))) continue;
      visited += 1;
      if (visited > MAX_VISITED) return;
      const at = join(directory, entry.name);
      if (entry.isDirectory()) await visit(at, `${prefix}${entry.name}/`);
      else if (entry.isFile()) {
        const status = await lstat(at).catch(() => undefined);
        if (status !== undefined && status.mtimeMs > after)
          found.push({ path: `${prefix}${entry.name}`, modifiedAt: status.mtime.toISOString() });
      }
    }
  };
  await visit(root, "");
  found.sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1));
  return { count: found.length, first: found.slice(0, MAX_CHANGED) };
}

const COMMANDS = { list, read, write, changed };

function codeOf(error) {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return 66;
  if (error.code === "ELOOP" || error.code === "ENXIO" || error.code === "EISDIR") return 68;
  return exitCodeOf(error);
}

try {
  const [name, ...given] = process.argv.slice(2);
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (command === undefined) throw new ScriptError(64, "usage: files.mjs list|read|write|changed …");
  const root = await realpath(process.env.STATE_DIR ?? "/workspace/state");
  process.stdout.write(`${JSON.stringify(await command(root, ...given))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = codeOf(error);
}
