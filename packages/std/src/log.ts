/** The local edge's log: one JSON line an event, in `edge.log` of the state directory. Never a token or an e-mail. */
import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

export type Log = (area: string, event: string, fields?: Record<string, unknown>) => void;

/** Bytes after which the log goes on in a new file; the one before is kept as `{path}.1`. */
const LIMIT = 20_000_000;

/**
 * A log that appends to `path`.
 *
 * @param limit bytes of a file. Default: 20 MB
 */
export function fileLog(path: string, limit = LIMIT): { log: Log; close: () => void } {
  const open = () => openSync(path, "a", 0o600);
  let file = open();
  let written = fstatSync(file).size;
  let closed = false;

  const log: Log = (area, event, fields = {}) => {
    // Whoever is late must not write to a number that is another file's by now.
    if (closed) return;
    const line = Buffer.from(`${JSON.stringify({ ts: new Date().toISOString(), area, event, ...fields })}\n`);
    if (written > 0 && written + line.length > limit) {
      closeSync(file);
      renameSync(path, `${path}.1`);
      file = open();
      written = 0;
    }
    written += writeSync(file, line);
  };
  const close = () => {
    if (!closed) closeSync(file);
    closed = true;
  };
  return { log, close };
}
