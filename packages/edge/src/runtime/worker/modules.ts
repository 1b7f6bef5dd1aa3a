/** A stored script's modules as Miniflare's options. */

import type { Store } from "../../account/store.ts";
import type { ScriptModule, ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { ModuleDefinition } from "./definition.ts";
import { ENTRY_MODULE, entrySource, LIMITS_MODULE, limitsSource } from "./entry-module.ts";

/** Any folder: only the modules' places relative to it matter. */
export const MODULES_ROOT = "/script";

/** Upload type of a module part to workerd's kind of module. */
const KINDS = {
  "application/javascript+module": "ESModule",
  "text/javascript": "ESModule",
  "application/javascript": "CommonJS",
  "application/wasm": "CompiledWasm",
  "text/plain": "Text",
  "application/octet-stream": "Data",
} as const;

/** Texts kept for the next script that has the same module, at most. */
const MOST_TEXTS = 8;

/** Tenants' scripts are mostly one bundle, which is then one text in memory however many of them run. */
const texts = new Map<string, string>();

function textOf(store: Store, sha256: string): string {
  const text = texts.get(sha256) ?? store.readBlob(sha256).toString("utf8");
  texts.delete(sha256);
  texts.set(sha256, text);
  for (const oldest of texts.keys()) {
    if (texts.size <= MOST_TEXTS) break;
    texts.delete(oldest);
  }
  return text;
}

/**
 * All modules of `script` with the runtime's entry before them.
 * @param secret what the entry asks of each request
 * @throws Error when a module is of a type that cannot run here
 */
export function scriptModules(store: Store, script: ScriptRecord, secret: string): ModuleDefinition[] {
  return [
    { type: "ESModule", path: `${MODULES_ROOT}/${ENTRY_MODULE}`, contents: entrySource(script, secret) },
    { type: "ESModule", path: `${MODULES_ROOT}/${LIMITS_MODULE}`, contents: limitsSource },
    ...script.modules
      .filter((module) => essence(module) !== "application/source-map")
      .map((module) => definition(store, script, module)),
  ];
}

function definition(store: Store, script: ScriptRecord, module: ScriptModule): ModuleDefinition {
  const path = `${MODULES_ROOT}/${module.name}`;
  const type = essence(module);
  if (type === "application/json") {
    return { type: "ESModule", path, contents: `export default ${textOf(store, module.sha256)};` };
  }
  if (!isKnown(type)) {
    throw new Error(`Module ${module.name} of ${script.id} has type ${type}, which the local edge cannot run.`);
  }
  const kind = KINDS[type];
  const isText = kind === "ESModule" || kind === "CommonJS" || kind === "Text";
  return {
    type: kind,
    path,
    contents: isText ? textOf(store, module.sha256) : new Uint8Array(store.readBlob(module.sha256)),
  };
}

function essence(module: ScriptModule): string {
  return (module.type.split(";")[0] ?? "").trim().toLowerCase();
}

function isKnown(type: string): type is keyof typeof KINDS {
  return Object.hasOwn(KINDS, type);
}
