/** The local edge's log: one JSON line an event, in `edge.log` of the state directory. Never a token or an e-mail. */
import { createWriteStream } from "node:fs";

export type Log = (area: string, event: string, fields?: Record<string, unknown>) => void;

/** A log that appends to `path`. */
export function fileLog(path: string): { log: Log; close: () => Promise<void> } {
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  return {
    log: (area, event, fields = {}) => {
      stream.write(`${JSON.stringify({ ts: new Date().toISOString(), area, event, ...fields })}\n`);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
