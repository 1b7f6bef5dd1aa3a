import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

/** Media types that Go's `mime` package, which Cloudflare's provider uses, has built in. */
const TYPES: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".htm": "text/html; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
  ".xml": "text/xml; charset=utf-8",
};

export interface DirectoryFile {
  file: string;
  hash: string;
  size: number;
  /** Empty for an unknown type. */
  type: string;
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** Returns all files below `directory` by path, including hidden ones. @throws Error when it cannot be read */
export function filesOf(directory: string): Map<string, DirectoryFile> {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry): [string, DirectoryFile] => {
      const file = join(entry.parentPath, entry.name);
      const bytes = readFileSync(file);
      const path = `/${relative(directory, file).split(sep).join("/")}`;
      const type = TYPES[extname(file).toLowerCase()] ?? "";
      return [path, { file, hash: sha256(bytes).slice(0, 32), size: bytes.byteLength, type }];
    });
  return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns hash and size in bytes, by path. */
export function manifestOf(files: ReadonlyMap<string, DirectoryFile>): Record<string, { hash: string; size: number }> {
  return Object.fromEntries([...files].map(([path, { hash, size }]) => [path, { hash, size }]));
}

export function manifestSha256(files: ReadonlyMap<string, DirectoryFile>): string {
  return sha256(JSON.stringify(manifestOf(files)));
}
