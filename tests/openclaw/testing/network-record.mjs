/**
 * Preloaded into a gateway: writes down what it asks of the network, whichever interface it uses for that, and which programs it starts;
 * and so for every Node process and thread of those. A line each, as JSON, in `LOG_DIR/network.jsonl`.
 */
import { createHook } from "node:async_hooks";
import { ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";

const path = join(process.env.LOG_DIR ?? "/workspace/logs", "network.jsonl");
/** Frames from a request to who wants it, and some. */
const FRAMES = 60;

/** What a request to the operating system is about, by the kind that Node gives it. */
const KINDS = {
  GETADDRINFOREQWRAP: ({ hostname }) => ({ looksUp: hostname }),
  QUERYWRAP: ({ hostname }) => ({ looksUp: hostname }),
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

// The processes that this one starts, and the program that it becomes.
process.env.NODE_OPTIONS = `--import ${import.meta.url}`;
write({ runs: process.argv });

createHook({
  init(_id, kind, _trigger, resource) {
    const describe = KINDS[kind];
    if (describe === undefined) return;
    const stack = stackOf(kind);
    // Node tells what it is about once it has made it.
    queueMicrotask(() => write({ ...describe(resource), stack }));
  },
}).enable();

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function spawnRecorded(options) {
  write({ starts: options.file, parameters: options.args });
  return spawn.call(this, options);
};
