import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";

export interface ContentFile {
  /** Relative to the folder, with `/` between folders. */
  name: string;
  bytes: Buffer;
}

/** Reads the file `path`, or all files below the folder except hidden ones, sorted by name. @throws when `path` cannot be read */
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

/** Returns the SHA-256 in hex. */
export const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");

/** Returns the SHA-256, in hex, of the names and bytes of `files` in their order. */
export const hashContent = (files: readonly ContentFile[]): string =>
  hashDigests(files.map(({ name, bytes }) => ({ name, digest: sha256(bytes) })));

/** Returns {@link hashContent} of files by the {@link sha256} of their bytes. */
export const hashDigests = (files: readonly { name: string; digest: string }[]): string =>
  sha256(files.map(({ name, digest }) => `${name}\0${digest}\n`).join(""));

/** Returns the content hash of the file or folder `path`. */
export const contentHash = (path: string): string => hashContent(readContent(path));
