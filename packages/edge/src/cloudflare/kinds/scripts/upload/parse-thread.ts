/** Parses modules as V8 does, without running them. The thread needs Node's flag `--experimental-vm-modules`. */
import vm from "node:vm";
import { parentPort } from "node:worker_threads";

/** Imports of a module, or why V8 cannot parse it. */
export type Parsed = { imports: string[] } | { fault: string };

/** The types of Node.js lack it. */
interface SourceTextModule {
  moduleRequests: readonly { specifier: string }[];
}
const { SourceTextModule: Module } = vm as unknown as {
  SourceTextModule: new (code: string, options: { identifier: string }) => SourceTextModule;
};

export interface ParseRequest {
  id: number;
  modules: { name: string; code: string }[];
}
export interface ParseResponse {
  id: number;
  parsed: Parsed[];
}

function parse({ name, code }: ParseRequest["modules"][number]): Parsed {
  try {
    const { moduleRequests } = new Module(code, { identifier: name });
    return { imports: moduleRequests.map(({ specifier }) => specifier) };
  } catch (error) {
    const { name: kind, message } = error as Error;
    return { fault: `Uncaught ${kind}: ${message}\n  at ${name}\n` };
  }
}

parentPort?.on("message", ({ id, modules }: ParseRequest) => {
  const response: ParseResponse = { id, parsed: modules.map(parse) };
  parentPort?.postMessage(response);
});
