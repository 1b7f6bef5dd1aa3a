import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";

/** One file below a path, by its name relative to that path with `/` between folders. */
export interface ContentFile {
  name: string;
  bytes: Buffer;
}

/**
 * The files of `path`: the file itself, or all files below the folder, sorted by name. Hidden files are left out.
 *
 * @throws when `path` cannot be read.
 */
export function readContent(path: string): ContentFile[] {
  if (!statSync(path).isDirectory()) return [{ name: basename(path), bytes: readFileSync(path) }];
  const files: ContentFile[] = [];
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const name = relative(path, full).split(sep).join("/");
    if (entry.isFile() && !name.split("/").some((part) => part.startsWith("."))) {
      files.push({ name, bytes: readFileSync(full) });
    }
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** SHA-256 in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** SHA-256, in hex, over the names and bytes of `files` in their order. */
export function hashContent(files: readonly ContentFile[]): string {
  return sha256(files.map(({ name, bytes }) => `${name}\0${sha256(bytes)}\n`).join(""));
}

/** The content hash of the file or folder `path`: of a bundle, and as the resources `NamespacedScript` and `Migrations` take it. */
export function contentHash(path: string): string {
  return hashContent(readContent(path));
}
