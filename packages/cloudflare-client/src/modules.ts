import { extname } from "node:path";
import { UserError } from "@tenantry/plugin-host/errors";
import { type ContentFile, hashContent, readContent } from "./content/content-hash.ts";

/** Media types of modules (Cloudflare: "Multipart upload metadata"). */
const TYPES: Readonly<Record<string, string>> = {
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

/** A file as a module of a script, under its own name. */
export function moduleFile({ name, bytes }: ContentFile): File {
  return new File([new Uint8Array(bytes)], name, { type: TYPES[extname(name)] ?? "application/octet-stream" });
}

/**
 * The modules of the bundle at `path`.
 *
 * @throws UserError when they are not the bytes that `expected` is the hash of, or `mainModule` is not among them.
 */
export function readModules(path: string, expected: string, mainModule: string): File[] {
  const files = readContent(path);
  if (hashContent(files) !== expected) {
    throw new UserError(`The bundle ${path} changed while the deployment ran; run it again.`);
  }
  if (!files.some((file) => file.name === mainModule)) {
    throw new UserError(`The bundle ${path} has no module '${mainModule}'.`);
  }
  return files.map(moduleFile);
}

/** A script's upload: metadata as one JSON part, each module as a part under its own name. */
export function uploadForm(metadata: Record<string, unknown>, modules: readonly File[]): FormData {
  const form = new FormData();
  form.append("metadata", JSON.stringify(metadata));
  for (const module of modules) form.append(module.name, module, module.name);
  return form;
}
