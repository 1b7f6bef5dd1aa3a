/** Archives in the format of POSIX `tar` (ustar). */

const BLOCK_BYTES = 512;
const FILE = new Set(["0", "\0"]);

/** Returns the files of an archive, by path. Ignores folders. @throws Error for anything else, and for a cut archive */
export function readArchive(archive: Buffer): [path: string, content: Buffer][] {
  const files: [string, Buffer][] = [];
  for (let at = 0; at + BLOCK_BYTES <= archive.length && archive[at] !== 0; ) {
    const text = (from: number, length: number) =>
      archive.toString("utf8", at + from, at + from + length).split("\0", 1)[0] ?? "";
    const size = Number.parseInt(text(124, 12).trim(), 8);
    const type = archive.toString("latin1", at + 156, at + 157);
    const start = at + BLOCK_BYTES;
    if (!(size >= 0) || start + size > archive.length) throw new Error("the archive is cut");
    const prefix = text(345, 155);
    const path = prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    if (FILE.has(type)) files.push([path, archive.subarray(start, start + size)]);
    else if (type !== "5") throw new Error(`the archive has ${path} of the type ${type}, which is not supported`);
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return files;
}
