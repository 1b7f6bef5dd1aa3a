/**
 * Preloaded into a gateway: records its network requests and started programs, also of child processes and threads, as lines of JSON in
 * `LOG_DIR/network.jsonl`.
 */
import { createHook } from "node:async_hooks";
import { ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const path = join(process.env.LOG_DIR ?? "/workspace/logs", "network.jsonl");
/** Stack frames from a request to its caller. */
const FRAMES = 60;

/** Maps Node.js's kinds of requests to the operating system. */
const KINDS = {
  GETADDRINFOREQWRAP: ({ hostname }) => ({ resolves: hostname }),
  QUERYWRAP: ({ hostname }) => ({ resolves: hostname }),
  TCPCONNECTWRAP: ({ address }) => ({ connectsTo: address }),
  UDPSENDWRAP: ({ address }) => ({ sendsTo: address }),
};

const write = (what) => appendFileSync(path, `${JSON.stringify(what)}\n`);

function stackOf(kind) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error(kind);
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

// Child processes, and the program that replaces this process.
process.env.NODE_OPTIONS = `--import ${import.meta.url}`;
write({ runs: process.argv });

createHook({
  init(_id, kind, _trigger, resource) {
    const describe = KINDS[kind];
    if (describe === undefined) return;
    const stack = stackOf(kind);
    // Node.js sets the address after it has created the request.
    queueMicrotask(() => write({ ...describe(resource), stack }));
  },
}).enable();

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function spawnRecorded(options) {
  write({ starts: options.file, parameters: options.args });
  return spawn.call(this, options);
};
