import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";

/** Writes an event. Fields must not have tokens or email addresses. */
export type Log = (area: string, event: string, fields?: Record<string, unknown>) => void;

/**
 * Returns a log that appends one JSON line per event to `path`. Above `limit` bytes it moves the file to `{path}.1` and starts a new one.
 */
export function openFileLog(path: string, limit = 20_000_000): { log: Log; close: () => void } {
  const open = () => openSync(path, "a", 0o600);
  let file = open();
  let written = fstatSync(file).size;
  let closed = false;

  const log: Log = (area, event, fields = {}) => {
    // The file descriptor may belong to another file now.
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
