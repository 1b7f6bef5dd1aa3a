/** Archives as `backup.mjs` writes them, and malformed ones. */
import { gzipSync } from "node:zlib";
import { STATE_MARKER_FILE } from "#workers/contracts/tenant/sandbox.ts";
import { tarEnd, tarHeader, tarPadding } from "../container/tar.mjs";

interface Parts {
  target?: string;
  /** Type of the entry, in place of that of its kind. */
  flag?: string;
  /** Size in the header, in place of that of the content. */
  size?: number;
}

/** Returns an entry with its content. */
export function entry(type: string, path: string, content = "", { target = "", flag, size }: Parts = {}): Buffer {
  const bytes = Buffer.from(content);
  const header = tarHeader({ type, path, mode: 0o600, mtime: 1_780_000_000, size: size ?? bytes.length, target });
  if (flag !== undefined) {
    header.write(flag, 156, "latin1");
    header.fill(" ", 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  }
  return Buffer.concat([header, bytes, tarPadding(bytes.length)]);
}

/** Returns an archive of a state with the id `state-1`. */
export const tarOf = (...entries: Buffer[]): Buffer =>
  Buffer.concat([entry("file", STATE_MARKER_FILE, '{"id":"state-1"}'), ...entries, tarEnd()]);

export const archiveOf = (...entries: Buffer[]): Buffer => gzipSync(tarOf(...entries));
