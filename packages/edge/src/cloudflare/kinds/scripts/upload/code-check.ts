import { createHash } from "node:crypto";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { BoundedMap } from "@tenantry/std/bounded-map";
import { ApiError } from "#cloudflare/api/operations.ts";
import type { Parsed, ParseRequest, ParseResponse } from "./parse-thread.ts";

export interface Part {
  name: string;
  type: string;
  bytes: Uint8Array;
}

const MAX_PARSED = 1_000;
const SCRIPT_TYPES = ["application/javascript+module", "application/javascript", "text/javascript"];
const RUNTIME_MODULE = /^(node|cloudflare|workerd):/;

/** By the SHA-256 of name and content: most uploads repeat modules. */
const known = new BoundedMap<string, Parsed>(MAX_PARSED);

/**
 * Checks what Cloudflare checks when it starts the script: that each module parses and that its imports exist.
 * Source: https://developers.cloudflare.com/workers/observability/errors/ (10021) and
 * https://github.com/cloudflare/workers-sdk/issues/6657.
 *
 * @throws ApiError 400 with code 10021
 */
export async function checkCode(modules: readonly Part[]): Promise<void> {
  const names = new Set(modules.map(({ name }) => name));
  const scripts = modules.filter(({ type }) => SCRIPT_TYPES.includes(type));
  const parsed = await parseAll(scripts);
  for (const [index, { name }] of scripts.entries()) {
    const found = parsed[index];
    if (found === undefined) throw new Error(`The module ${name} was not parsed.`);
    if ("fault" in found) throw new ApiError(400, 10021, found.fault);
    const lacking = found.imports.find((specifier) => !isServed(specifier, name, names));
    if (lacking === undefined) continue;
    throw new ApiError(400, 10021, `Uncaught Error: No such module "${lacking}".\n  imported from "${name}"\n`);
  }
}

function isServed(specifier: string, from: string, names: ReadonlySet<string>): boolean {
  if (RUNTIME_MODULE.test(specifier) || isBuiltin(specifier)) return true;
  return names.has(posix.join(posix.dirname(from), specifier)) || names.has(specifier);
}

async function parseAll(parts: readonly Part[]): Promise<(Parsed | undefined)[]> {
  const keyed = parts.map((part) => ({ part, key: keyOf(part) }));
  const unknown = keyed.filter(({ key }) => known.get(key) === undefined);
  if (unknown.length > 0) {
    const found = await parseInThread(unknown.map(({ part }) => part));
    for (const [index, { key }] of unknown.entries()) {
      const parsed = found[index];
      if (parsed !== undefined) known.set(key, parsed);
    }
  }
  return keyed.map(({ key }) => known.get(key));
}

const keyOf = ({ name, bytes }: Part): string => createHash("sha256").update(`${name}\0`).update(bytes).digest("hex");

let thread: Worker | undefined;
let nextId = 1;
const waiting = new Map<number, (parsed: Parsed[]) => void>();

/** Parses in a thread that starts with the first upload, and does not keep the process alive. */
function parseInThread(parts: readonly Part[]): Promise<Parsed[]> {
  thread ??= startThread();
  const id = nextId;
  nextId += 1;
  const modules = parts.map(({ name, bytes }) => ({ name, code: new TextDecoder().decode(bytes) }));
  const request: ParseRequest = { id, modules };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    thread?.ref();
    thread?.postMessage(request);
  });
}

function startThread(): Worker {
  const execArgv = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];
  const started = new Worker(fileURLToPath(new URL("parse-thread.ts", import.meta.url)), { execArgv });
  started.on("message", ({ id, parsed }: ParseResponse) => {
    waiting.get(id)?.(parsed);
    waiting.delete(id);
    if (waiting.size === 0) started.unref();
  });
  return started;
}
