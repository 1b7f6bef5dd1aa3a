export interface TarEntry {
  type: "file" | "hardlink" | "link" | "directory";
  /** A byte string, as the target. */
  path: string;
  target: string;
  mode: number;
  mtime: number;
  size: number;
  content(): AsyncIterable<Buffer>;
}

export class DamagedArchive extends Error {}

export function readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry>;
export function tarHeader(entry: {
  type: string;
  path: string;
  mode: number;
  mtime: number;
  size?: number;
  target?: string;
}): Buffer;
export function tarPadding(size: number): Buffer;
export function tarEnd(): Buffer;
