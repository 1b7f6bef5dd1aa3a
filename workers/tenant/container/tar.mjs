/**
 * Writes and reads tar archives (POSIX.1-2001 "pax"): files, directories, symbolic and hard links, of any size and name. Also reads the
 * format of GNU tar. File names may contain any bytes, so paths are byte strings: each character is one byte (Node's `latin1`).
 */
import { isUtf8 } from "node:buffer";

const BLOCK = 512;
const FIELDS = { name: [0, 100], mode: [100, 8], size: [124, 12], mtime: [136, 12], checksum: [148, 8] };
const TYPES = { file: "0", hardlink: "1", link: "2", directory: "5", pax: "x" };
/** Types from before POSIX. */
const OLD_TYPES = { "\0": "file" };
/** GNU's types for long paths and link targets. */
const GNU_LONG = { L: "path", K: "linkpath" };
/** Character device, block device and FIFO. */
const SPECIAL_TYPES = new Set(["3", "4", "6"]);
const PAX_GLOBAL = "g";
const MAX_OCTAL_SIZE = 0o77777777777;
const MAX_NAME_BYTES = 100;
const MAX_EXTENSION_BYTES = 1_000_000;

const bytesOf = (path) => Buffer.from(path, "latin1");

function writeOctal(block, [offset, length], value) {
  block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, offset, "latin1");
}

function headerBlock(type, name, { mode, size, mtime, target = "" }) {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, MAX_NAME_BYTES, "latin1");
  writeOctal(block, FIELDS.mode, mode & 0o7777);
  writeOctal(block, [108, 8], 0);
  writeOctal(block, [116, 8], 0);
  writeOctal(block, FIELDS.size, size);
  writeOctal(block, FIELDS.mtime, Math.max(0, Math.floor(mtime)));
  block.write(TYPES[type], 156, "latin1");
  block.write(target, 157, MAX_NAME_BYTES, "latin1");
  block.write("ustar\x0000", 257, "latin1");
  block.fill(" ", 148, 156);
  block.write(`${checksumOf(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

function checksumOf(block) {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** A record of a pax header; its length counts its own digits. */
function paxRecord(key, value) {
  const rest = ` ${key}=${value}\n`.length;
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${key}=${value}\n`;
}

const padding = (size) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

/** Returns the header of an entry. @param entry `mtime` is in seconds; `target` of a hard link is the path of an earlier entry */
export function tarHeader({ type, path, mode, size = 0, mtime, target = "" }) {
  const long = { path, linkpath: target };
  const records = Object.entries(long).flatMap(([key, value]) => (value.length > MAX_NAME_BYTES ? [[key, value]] : []));
  // Records are UTF-8 unless `hdrcharset` is set.
  if (records.some(([, value]) => !isUtf8(bytesOf(value)))) records.unshift(["hdrcharset", "BINARY"]);
  if (size > MAX_OCTAL_SIZE) records.push(["size", String(size)]);
  const short = size > MAX_OCTAL_SIZE ? 0 : size;
  const header = headerBlock(type, path, { mode, size: short, mtime, target });
  if (records.length === 0) return header;
  const body = bytesOf(records.map(([key, value]) => paxRecord(key, value)).join(""));
  return Buffer.concat([
    headerBlock("pax", "pax", { mode: 0o600, size: body.length, mtime }),
    body,
    padding(body.length),
    header,
  ]);
}

/** Returns the padding after a file's content of `size` bytes. */
export const tarPadding = padding;

export const tarEnd = () => Buffer.alloc(2 * BLOCK);

/** The archive is malformed or truncated. */
export class DamagedArchive extends Error {}

/** Takes exact numbers of bytes from a stream of chunks. */
class Bytes {
  #chunks;
  #rest = Buffer.alloc(0);

  constructor(stream) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, at least one and at most `limit`. */
  async some(limit) {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next().catch((error) => {
        // The decompressor's errors.
        throw String(error.code).startsWith("Z_") ? new DamagedArchive(error.message) : error;
      });
      if (done) throw new DamagedArchive("the archive is truncated");
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, limit);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** The next `length` bytes in pieces. */
  async *content(length) {
    for (let left = length; left > 0; ) {
      const part = await this.some(left);
      left -= part.length;
      yield part;
    }
  }

  async exactly(length) {
    return Buffer.concat(await Array.fromAsync(this.content(length)));
  }
}

const text = (block, offset, length) => block.toString("latin1", offset, offset + length).split("\0")[0];
const octal = (block, [offset, length]) => Number.parseInt(text(block, offset, length).trim() || "0", 8);

function parsePax(body) {
  const records = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(" ", at);
    const length = Number(body.toString("latin1", at, space));
    if (space < 0 || !Number.isInteger(length) || length <= 0)
      throw new DamagedArchive("the archive has a malformed header");
    const record = body.toString("latin1", space + 1, at + length - 1);
    const equals = record.indexOf("=");
    records[record.slice(0, equals)] = record.slice(equals + 1);
    at += length;
  }
  return records;
}

/** Returns the path in a header. POSIX splits long paths. */
function pathOf(block) {
  const name = text(block, 0, MAX_NAME_BYTES);
  const prefix = text(block, 257, 6) === "ustar" ? text(block, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Reads an extension, which describes the next entry; `undefined` for an ordinary entry. */
async function readExtension(flag, size, bytes) {
  if (flag !== TYPES.pax && flag !== PAX_GLOBAL && GNU_LONG[flag] === undefined) return undefined;
  if (size > MAX_EXTENSION_BYTES) throw new DamagedArchive("the archive has an oversized header");
  const body = await bytes.exactly(size);
  await bytes.exactly(padding(size).length);
  if (flag === PAX_GLOBAL) return {};
  return flag === TYPES.pax ? parsePax(body) : { [GNU_LONG[flag]]: text(body, 0, size) };
}

/**
 * Yields the entries of an archive in order: { type, path, mode, size, mtime, target, content() }. Read a file's content completely before the
 * next entry.
 *
 * @throws DamagedArchive
 */
export async function* readTar(stream) {
  const bytes = new Bytes(stream);
  let extended = {};
  for (;;) {
    const block = await bytes.exactly(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    if (octal(block, FIELDS.checksum) !== checksumOf(block))
      throw new DamagedArchive("the archive has a damaged header");
    const flag = block.toString("latin1", 156, 157);
    const headerSize = octal(block, FIELDS.size);
    const extension = await readExtension(flag, headerSize, bytes);
    if (extension !== undefined) {
      extended = { ...extended, ...extension };
      continue;
    }
    const type = OLD_TYPES[flag] ?? Object.keys(TYPES).find((name) => TYPES[name] === flag);
    if (SPECIAL_TYPES.has(flag)) throw new DamagedArchive("the archive has a device or a FIFO");
    if (type === undefined) throw new DamagedArchive("the archive has an entry of an unknown kind");
    // A link has no content, even if its header has a size.
    const size = type === "file" ? Number(extended.size ?? headerSize) : 0;
    yield {
      type,
      path: extended.path ?? pathOf(block),
      target: extended.linkpath ?? text(block, 157, MAX_NAME_BYTES),
      mode: octal(block, FIELDS.mode),
      mtime: octal(block, FIELDS.mtime),
      size,
      content: () => bytes.content(size),
    };
    await bytes.exactly(padding(size).length);
    extended = {};
  }
}
