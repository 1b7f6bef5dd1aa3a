import { extname } from "node:path";
import { isObject, type Properties, same, UserError } from "@tenantry/plugin-host";
import { type ContentFile, hashContent, readContent } from "./content.ts";

/** A binding in camelCase, as in the inputs of a resource. */
export interface Binding extends Properties {
  type: string;
  name: string;
}

/** Media types of modules (Cloudflare: "Multipart upload metadata"). */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".js": "application/javascript+module",
  ".mjs": "application/javascript+module",
  ".cjs": "application/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".html": "text/html",
  ".sql": "text/plain",
  ".txt": "text/plain",
  ".map": "application/source-map",
};

/** Fields that the API does not return, by type of binding. */
const WRITE_ONLY: Readonly<Record<string, readonly string[]>> = {
  secret_text: ["text"],
  secret_key: ["keyBase64", "keyJwk"],
};

const snakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a binding to the API's names. */
export function toApiBinding(binding: Binding): Properties {
  return Object.fromEntries(Object.entries(binding).map(([key, value]) => [snakeCase(key), value]));
}

function fromApiBinding(live: Properties): Binding {
  const present = Object.entries(live).filter(([, value]) => value !== null && value !== undefined);
  const entries = Object.fromEntries(present.map(([key, value]) => [camelCase(key), value]));
  return { ...entries, type: String(live.type), name: String(live.name) };
}

function liveValues(declared: Binding, live: Properties): Binding {
  const writeOnly = live.type === declared.type ? (WRITE_ONLY[declared.type] ?? []) : [];
  const entries = Object.entries(declared).map(([key, value]) => {
    const current = live[snakeCase(key)];
    return [key, writeOnly.includes(key) || same(current, value) ? value : current];
  });
  return { type: String(live.type), name: declared.name, ...Object.fromEntries(entries) };
}

/**
 * Returns the live bindings in the order and with the fields of the declared ones. Assumes that values of secrets are the declared
 * ones.
 */
export function liveBindings(declared: readonly Binding[], live: unknown): Binding[] {
  const found = new Map((Array.isArray(live) ? live.filter(isObject) : []).map((item) => [String(item.name), item]));
  const known = declared.flatMap((binding) => {
    const item = found.get(binding.name);
    found.delete(binding.name);
    return item === undefined ? [] : [liveValues(binding, item)];
  });
  return [...known, ...[...found.values()].map(fromApiBinding)];
}

/** Converts a file to a module of a script, under its own name. */
export function moduleFile({ name, bytes }: ContentFile): File {
  return new File([new Uint8Array(bytes)], name, { type: MEDIA_TYPES[extname(name)] ?? "application/octet-stream" });
}

/** Reads the modules of a bundle. @throws UserError when its content hash is not `expected`, or `mainModule` is missing */
export function readModules(path: string, expected: string, mainModule: string): File[] {
  const files = readContent(path);
  if (hashContent(files) !== expected) {
    throw new UserError(`The bundle ${path} changed during the deployment. Run it again.`);
  }
  if (!files.some((file) => file.name === mainModule)) {
    throw new UserError(`The bundle ${path} has no module '${mainModule}'.`);
  }
  return files.map(moduleFile);
}

/** Returns the upload of a script: metadata as one JSON part, each module as a part under its own name. */
export function uploadForm(metadata: Record<string, unknown>, modules: readonly File[]): FormData {
  const form = new FormData();
  form.append("metadata", JSON.stringify(metadata));
  for (const module of modules) form.append(module.name, module, module.name);
  return form;
}
