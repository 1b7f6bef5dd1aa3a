/** Reads and writes a directory tree as one compressed file. */
import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import * as z from "zod";

/** The format: the length of the index as 32 bits, the index as JSON, then the files. */
const index = z.array(
  z.object({
    /** Relative to the root; a directory ends with a slash. */
    path: z.string(),
    mode: z.number().int(),
    bytes: z.number().int(),
  }),
);
type Entry = z.infer<typeof index>[number];

const { BROTLI_PARAM_LARGE_WINDOW, BROTLI_PARAM_LGWIN, BROTLI_DECODER_PARAM_LARGE_WINDOW } = constants;
/** Databases of one cluster repeat content at distances that only a large window covers. */
const LARGE_WINDOW_BITS = 30;

/** @param isKept decides by the relative path, which ends with a slash for a directory */
export async function pack(root: string, isKept: (path: string) => boolean): Promise<Buffer> {
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const add = async (parent: string): Promise<void> => {
    for (const name of (await readdir(join(root, parent))).toSorted()) {
      const found = await lstat(join(root, parent, name));
      const path = `${parent}${name}${found.isDirectory() ? "/" : ""}`;
      if (!isKept(path)) continue;
      if (!found.isDirectory() && !found.isFile()) throw new Error(`${path} is neither a file nor a directory.`);
      const content = found.isFile() ? await readFile(join(root, path)) : Buffer.alloc(0);
      entries.push({ path, mode: found.mode & 0o777, bytes: content.length });
      contents.push(content);
      if (found.isDirectory()) await add(path);
    }
  };
  await add("");
  const header = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return brotliCompressSync(Buffer.concat([length, header, ...contents]), {
    params: { [BROTLI_PARAM_LARGE_WINDOW]: 1, [BROTLI_PARAM_LGWIN]: LARGE_WINDOW_BITS },
  });
}

/** Writes the tree to `root`, with its file modes. */
export async function unpack(archive: Buffer, root: string): Promise<void> {
  const all = brotliDecompressSync(archive, { params: { [BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 } });
  let at = 4 + all.readUInt32BE();
  const entries = index.parse(JSON.parse(all.toString("utf8", 4, at)));
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const { path, mode, bytes } of entries) {
    if (path.endsWith("/")) await mkdir(join(root, path), { mode });
    else await writeFile(join(root, path), all.subarray(at, at + bytes), { mode, flag: "wx" });
    at += bytes;
  }
}
