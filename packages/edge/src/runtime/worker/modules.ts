import type { Store } from "../../account/store.ts";
import type { ScriptModule, ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import type { EdgeLimits } from "../../limits/edge-limits.ts";
import type { WorkerWeather } from "../../weather/worker-weather.ts";
import type { ModuleDefinition } from "./definition.ts";
import { ENTRY_MODULE, entrySource, LIMITS_MODULE, limitsSource } from "./entry-module.ts";

/** Any folder: only paths relative to it matter. */
export const MODULES_ROOT = "/script";

const KINDS = {
  "application/javascript+module": "ESModule",
  "text/javascript": "ESModule",
  "application/javascript": "CommonJS",
  "application/wasm": "CompiledWasm",
  "text/plain": "Text",
  "application/octet-stream": "Data",
} as const;

const MAX_TEXTS = 8;
/** Scripts of a namespace often share a bundle, which is then in memory once. */
const texts = new Map<string, string>();

function readText(store: Store, sha256: string): string {
  const text = texts.get(sha256) ?? store.readBlob(sha256).toString("utf8");
  texts.delete(sha256);
  texts.set(sha256, text);
  for (const oldest of texts.keys()) {
    if (texts.size <= MAX_TEXTS) break;
    texts.delete(oldest);
  }
  return text;
}

/**
 * Returns the modules of a script for Miniflare, with the entry module first.
 *
 * @throws Error when a module has an unsupported type
 */
export function scriptModules(
  {
    limits,
    secret,
    store,
    weather,
  }: { limits: EdgeLimits; secret: string; store: Store; weather?: WorkerWeather | undefined },
  script: ScriptRecord,
): ModuleDefinition[] {
  const hasWeather = weather !== undefined;
  const invocation = {
    subrequests: limits.valueOf("subrequests"),
    points: limits.valueOf("analyticsPoints"),
    weather: hasWeather ? script.id : undefined,
  };
  return [
    { type: "ESModule", path: `${MODULES_ROOT}/${ENTRY_MODULE}`, contents: entrySource(script, secret, hasWeather) },
    { type: "ESModule", path: `${MODULES_ROOT}/${LIMITS_MODULE}`, contents: limitsSource(invocation) },
    ...script.modules
      .filter((module) => contentType(module) !== "application/source-map")
      .map((module) => toDefinition(store, script, module)),
  ];
}

function toDefinition(store: Store, script: ScriptRecord, module: ScriptModule): ModuleDefinition {
  const path = `${MODULES_ROOT}/${module.name}`;
  const type = contentType(module);
  if (type === "application/json") {
    return { type: "ESModule", path, contents: `export default ${readText(store, module.sha256)};` };
  }
  if (!isKnown(type)) {
    throw new Error(`Module ${module.name} of ${script.id} has type ${type}, which the edge does not support.`);
  }
  const kind = KINDS[type];
  const isText = kind === "ESModule" || kind === "CommonJS" || kind === "Text";
  return {
    type: kind,
    path,
    contents: isText ? readText(store, module.sha256) : new Uint8Array(store.readBlob(module.sha256)),
  };
}

function contentType(module: ScriptModule): string {
  return (module.type.split(";")[0] ?? "").trim().toLowerCase();
}

function isKnown(type: string): type is keyof typeof KINDS {
  return Object.hasOwn(KINDS, type);
}
